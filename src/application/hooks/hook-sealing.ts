import { secretTexts, withSecretTexts } from '../../domain/calls/called-secrets.ts';
import type { Hook } from '../../domain/hooks/hook.ts';
import type { HookStorePort } from '../ports/hook-store-port.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';
import { keptSecrets, type KeptSecrets } from '../secrets/kept-secrets.ts';
import { Sealing } from '../secrets/sealing.ts';

/** Encrypts the secrets of hooks. No queue has a name with a colon, so that no worker has their place. */
export function hookSealing(cipher: SecretCipherPort): Sealing<Hook> {
  return new Sealing<Hook>(cipher, {
    all: (hook) => secretTexts(hook, ''),
    replaced: (hook, change) => withSecretTexts(hook, '', change),
    placeOf: ({ id, url }, field) => [`hook:${id}`, field, new URL(url).origin],
  });
}

/** @param kept the hooks with their secrets encrypted. */
export function secretsOfHooks(kept: HookStorePort, sealing: Sealing<Hook>): KeptSecrets {
  return keptSecrets(
    {
      async *all() {
        yield* await kept.all();
      },
      change: async ({ id }, change) => {
        await kept.change(id, (hook) => hook && change(hook));
      },
    },
    sealing,
  );
}
