import { ContainerModule } from 'inversify';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Config } from '../config/config.ts';
import { parseSignIn, SIGN_IN_FILE } from '../config/sign-in-file.ts';
import { WatchedFile } from '../watched-file.ts';
import { tokens } from './tokens.ts';

/** People who sign in, for the dashboard. The packages for it are loaded only where they do. */
export async function signInModule(
  { auth, dashboard }: Config,
  logger: LoggerPort,
): Promise<ContainerModule> {
  const { signInFile: path } = auth;
  const file =
    path === undefined
      ? undefined
      : new WatchedFile({
          ...{
            path,
            variable: SIGN_IN_FILE,
            name: 'file of the sign-in',
            holds: 'settings',
            logger,
          },
          parse: parseSignIn,
          report: ({ issuer, rules }) => ({ issuer, rules: rules.length }),
        });
  const isServed = file !== undefined && dashboard !== 'off';
  const adapter = isServed
    ? await import('../../adapters/outbound/jwt/openid-provider.ts')
    : undefined;
  return new ContainerModule(({ bind }) => {
    bind(tokens.signInFile).toConstantValue(file);
    bind(tokens.identityProvider).toResolvedValue(
      (clock) => file && adapter && new adapter.OpenIdProvider(() => file.value, clock, logger),
      [tokens.clock],
    );
  });
}
