import { ContainerModule } from 'inversify';
import { WorkloadTokens } from '../../application/access/workload-tokens.ts';
import type { Config } from '../config/config.ts';
import { tokens } from './tokens.ts';

/** The tokens of workloads. Their package is loaded only if issuers are configured. */
export async function workloadsModule({ auth }: Config): Promise<ContainerModule> {
  const { issuers } = auth;
  if (issuers.length === 0) {
    return new ContainerModule(({ bind }) => {
      bind(tokens.workloadTokens).toResolvedValue(() => undefined);
    });
  }
  const { JoseIssuerTokens } = await import('../../adapters/outbound/jwt/jose-issuer-tokens.ts');
  return new ContainerModule(({ bind }) => {
    bind(tokens.workloadTokens).toResolvedValue(
      (clock, logger) => new WorkloadTokens(new JoseIssuerTokens(issuers, clock, logger), clock),
      [tokens.clockPort, tokens.loggerPort],
    );
  });
}
