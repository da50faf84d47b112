import { ContainerModule } from 'inversify';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Config } from '../config/config.ts';
import { instanceName } from '../instance-name.ts';
import { version } from '../version.ts';
import { tokens } from './tokens.ts';

/** The traces. Their packages are loaded only if a collector is configured. */
export async function tracingModule(
  { traces }: Config,
  logger: LoggerPort,
): Promise<ContainerModule> {
  const tracing = traces && (await tracingTo(traces, logger));
  return new ContainerModule(({ bind }) => {
    bind(tokens.tracing).toConstantValue(tracing);
    if (tracing !== undefined) bind(tokens.attemptObserver).toConstantValue(tracing);
  });
}

async function tracingTo(traces: NonNullable<Config['traces']>, logger: LoggerPort) {
  const { openTelemetryTracing } =
    await import('../../adapters/outbound/opentelemetry/open-telemetry-tracing.ts');
  const settings = { ...traces, version: version(), instance: instanceName() };
  return openTelemetryTracing(settings, logger);
}
