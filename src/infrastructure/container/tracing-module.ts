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
  if (traces === undefined) {
    return new ContainerModule(({ bind }) => {
      bind(tokens.tracing).toResolvedValue(() => undefined);
    });
  }
  const { openTelemetryTracing } =
    await import('../../adapters/outbound/opentelemetry/open-telemetry-tracing.ts');
  const { url, attempts } = traces;
  const settings = { url, attempts, version: version(), instance: instanceName() };
  const tracing = openTelemetryTracing(settings, logger);
  return new ContainerModule(({ bind }) => {
    bind(tokens.tracing).toResolvedValue(() => tracing);
    bind(tokens.attemptObserver).toConstantValue(tracing);
  });
}
