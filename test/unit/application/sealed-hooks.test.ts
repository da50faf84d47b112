import { expect } from 'chai';
import {
  AesSecretCipher,
  type EncryptionKey,
} from '../../../src/adapters/outbound/encryption/aes-secret-cipher.ts';
import { hooksInMemory } from '../../support/collections.ts';
import { SECRETS_OF_HOOKS, type KeptHooks } from '../../../src/application/kept/hooks.ts';
import { SealedCollection } from '../../../src/application/secrets/sealed-collection.ts';
import { Secrets } from '../../../src/application/secrets/secrets.ts';
import type { Hook } from '../../../src/domain/hooks/hook.ts';
import { encryptionKey } from '../../support/encryption-key.ts';
import { plainHook } from '../../support/plain-hook.ts';

const [OLD, NEW] = [encryptionKey('2026a'), encryptionKey('2026b')];

const HOOK: Hook = {
  ...plainHook('on-call'),
  headers: { Authorization: 'Bearer secret' },
  signing: true,
  secrets: { current: 'whsec_MQ==', former: [{ secret: 'whsec_Mg==', until: 9 }] },
};

describe('SealedCollection of hooks', () => {
  let kept: KeptHooks;
  beforeEach(() => {
    kept = hooksInMemory();
  });

  const sealed = (...keys: readonly EncryptionKey[]): SealedCollection<Hook> =>
    new SealedCollection(kept, SECRETS_OF_HOOKS, new AesSecretCipher(keys));
  const save = (hooks: KeptHooks): Promise<unknown> => hooks.put(HOOK.id, () => HOOK);

  // holds: hooks.secrets
  it('keep header values and secrets encrypted with the first key', async () => {
    expect(await save(sealed(NEW, OLD))).to.deep.equal(HOOK);
    const text = JSON.stringify(await kept.find(HOOK.id));
    expect(text).not.to.match(/Bearer|whsec/);
    expect(text.match(/sealed:2026b:/g)).to.have.lengthOf(3);
    expect(await sealed(NEW).find(HOOK.id)).to.deep.equal(HOOK);
    expect([...(await sealed(NEW).list()).records.values()]).to.deep.equal([HOOK]);
  });

  it('say which key is missing, and lose no secret by another change', async () => {
    await save(sealed(OLD));
    const reason = 'Secret cannot be read (key 2026a is missing)';
    const hooks = sealed(NEW);
    expect(await hooks.find(HOOK.id)).to.have.property('unreadable', reason);
    await hooks.change(HOOK.id, (hook) => ({ ...hook, paused: true }));
    expect(await sealed(OLD).find(HOOK.id)).to.deep.equal({ ...HOOK, paused: true });
  });

  // holds: hooks.secrets
  it('read no secret that was written for another hook or origin', async () => {
    await save(sealed(NEW));
    const stored = (await kept.find(HOOK.id))!;
    const reason = 'Secret cannot be read (key 2026b does not open it)';
    for (const stolen of [
      { ...stored, id: 'thief' },
      { ...stored, url: 'http://thief/' },
    ]) {
      await kept.put(stolen.id, () => stolen);
      expect(await sealed(NEW).find(stolen.id)).to.have.property('unreadable', reason);
    }
  });

  // holds: hooks.secrets
  it('are counted by key, and rewrapped', async () => {
    await save(sealed(OLD));
    await sealed().put('open', () => ({ ...HOOK, id: 'open' }));
    const cipher = new AesSecretCipher([NEW, OLD]);
    const secrets = new Secrets(
      [new SealedCollection(kept, SECRETS_OF_HOOKS, cipher).secrets],
      cipher,
    );
    expect(await secrets.counts()).to.deep.equal({ '2026a': 3, none: 3 });
    const after = { '2026b': 6 };
    expect(await secrets.rewrap({})).to.deep.equal({ matched: 6, done: 6, secrets: after });
    expect(await sealed(NEW).find(HOOK.id)).to.deep.equal(HOOK);
  });
});
