import { ContainerModule } from 'inversify';
import type { Config } from '../config/config.ts';
import { tokens } from './tokens.ts';

/** The tokens of workloads. Their package is loaded only if issuers are configured. */
export async function workloadsModule({ auth }: Config): Promise<ContainerModule> {
  const { issuers } = auth;
  if (issuers.length === 0) {
    return new ContainerModule(({ bind }) => {
      bind(tokens.issuerTokens).toResolvedValue(() => undefined);
    });
  }
  const { JoseIssuerTokens } = await import('../../adapters/outbound/jwt/jose-issuer-tokens.ts');
  return new ContainerModule(({ bind }) => {
    bind(tokens.issuerTokens).toResolvedValue(
      (clock, logger) => new JoseIssuerTokens(issuers, clock, logger),
      [tokens.clock, tokens.logger],
    );
  });
}
