import { ContainerModule } from 'inversify';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import type { Config } from '../config/config.ts';
import { SIGN_IN_FILE } from '../config/sign-in-file.ts';
import { WatchedFile } from '../watched-file.ts';
import { tokens } from './tokens.ts';

/** People who sign in, for the dashboard. The packages for it are loaded only where they do. */
export async function signInModule(
  { auth: { signInFile: path }, dashboard }: Config,
  logger: LoggerPort,
): Promise<ContainerModule> {
  const file = path === undefined ? undefined : new WatchedFile({ ...SIGN_IN_FILE, path, logger });
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
