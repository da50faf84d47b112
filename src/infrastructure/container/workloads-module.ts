import { ContainerModule } from 'inversify';
import type { Config } from '../config/config.ts';
import { tokens } from './tokens.ts';

/** The tokens of workloads. Their package is loaded only if issuers are configured. */
export async function workloadsModule({ auth }: Config): Promise<ContainerModule> {
  const { issuers } = auth;
  const adapter =
    issuers.length > 0
      ? await import('../../adapters/outbound/jwt/jose-issuer-tokens.ts')
      : undefined;
  return new ContainerModule(({ bind }) => {
    bind(tokens.issuerTokens).toResolvedValue(
      (clock, logger) => adapter && new adapter.JoseIssuerTokens(issuers, clock, logger),
      [tokens.clock, tokens.logger],
    );
  });
}
