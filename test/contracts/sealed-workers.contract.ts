import { expect } from 'chai';
import {
  AesSecretCipher,
  type EncryptionKey,
} from '../../src/adapters/outbound/encryption/aes-secret-cipher.ts';
import { SECRETS_OF_HOOKS } from '../../src/application/kept/hooks.ts';
import { secretsOfWorkers, type KeptWorkers } from '../../src/application/kept/workers.ts';
import { SealedCollection } from '../../src/application/secrets/sealed-collection.ts';
import { EncryptionKeys } from '../../src/application/secrets/encryption-keys.ts';
import { Secrets } from '../../src/application/secrets/secrets.ts';
import { sealedText } from '../../src/domain/values/sealed-text.ts';
import { withSecrets } from '../../src/domain/workers/worker-secrets.ts';
import { enabledWorker } from '../../src/domain/workers/worker-disabling.ts';
import type { Worker } from '../../src/domain/workers/worker.ts';
import { encryptionKey } from '../support/encryption-key.ts';
import { FakeClock } from '../support/fake-clock.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { queueNamed } from '../support/queue-named.ts';
import { rejection } from '../support/rejection.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { saveWorker } from '../support/collections.ts';
import type { QueueHarness, QueueReplica } from './queue-harness.ts';

const OLD = encryptionKey('2026a');
const NEW = encryptionKey('2026b');
const HEADER = 'Bearer secret-of-the-endpoint';
const SIGNING = `whsec_${Buffer.from('secret of the signature').toString('base64')}`;
const FORMER = `whsec_${Buffer.from('former secret').toString('base64')}`;
const QUEUE = queueNamed('mail');

const WORKER: Worker = {
  queue: QUEUE,
  endpoint: {
    url: 'http://127.0.0.1:1/',
    method: 'post',
    headers: { Authorization: HEADER },
    signing: true,
    secrets: { current: SIGNING, former: [{ secret: FORMER, until: 1_700_000_000_000 }] },
  },
};

const clock = new FakeClock();

const sealed = (
  kept: KeptWorkers,
  ...keys: readonly EncryptionKey[]
): SealedCollection<Worker, QueueName> =>
  new SealedCollection(kept, secretsOfWorkers(clock.now()), new AesSecretCipher(keys));

const secretsWith = (kept: KeptWorkers, ...keys: readonly EncryptionKey[]): Secrets =>
  new Secrets([sealed(kept, ...keys).secrets], new AesSecretCipher(keys));

/** The store of a harness with the secrets of its workers and hooks sealed. */
export async function sealedHarness(
  createHarness: () => Promise<QueueHarness>,
): Promise<QueueHarness> {
  const harness = await createHarness();
  return {
    ...harness,
    ...sealedIn(harness, NEW),
    replica: async () => {
      const replica = await harness.replica();
      return { ...replica, ...sealedIn(replica, NEW, OLD) };
    },
  };
}

function sealedIn({ workers, hooks }: QueueReplica, ...keys: readonly EncryptionKey[]) {
  const cipher = new AesSecretCipher(keys);
  return {
    workers: sealed(workers, ...keys),
    hooks: new SealedCollection(hooks, SECRETS_OF_HOOKS, cipher),
  };
}

/**
 * What is promised of the secrets of workers in any store.
 *
 * @param createHarness of a store without workers and check values.
 */
export function describeSealedWorkers(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`Secrets at rest: ${name}`, () => {
    let harness: QueueHarness;
    let kept: KeptWorkers;

    beforeEach(async () => {
      harness = await createHarness();
      kept = harness.workers;
    });

    /** Starts a replica with these keys. @returns its warnings. */
    const start = async (...keys: readonly EncryptionKey[]): Promise<readonly string[]> => {
      const cipher = new AesSecretCipher(keys);
      const warnings: string[] = [];
      const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
      const secrets = [sealed(kept, ...keys).secrets];
      const parts = { cipher, checks: harness.keyChecks, kept: secrets };
      await new EncryptionKeys({ ...parts, clock, logger }).start();
      return warnings;
    };
    afterEach(() => harness.dispose());

    // holds: secrets-at-rest.encrypted
    it('keeps header values and secrets encrypted with the first key', async () => {
      await saveWorker(sealed(kept, NEW, OLD), WORKER);
      const text = JSON.stringify(await kept.find(QUEUE));
      for (const secret of [HEADER, SIGNING, FORMER]) expect(text).not.to.contain(secret);
      expect(text.match(/sealed:2026b:/g)).to.have.lengthOf(3);
      expect(await sealed(kept, OLD, NEW).find(QUEUE)).to.deep.equal(WORKER);
    });

    // holds: secrets-at-rest.without-keys
    it('keeps them as they are without keys, also one that looks encrypted', async () => {
      await saveWorker(sealed(kept), WORKER);
      expect(await kept.find(QUEUE)).to.deep.equal(WORKER);
      const strange = {
        ...WORKER,
        endpoint: { ...WORKER.endpoint, headers: { a: 'sealed:2026b:x', b: 'sealed::' } },
      };
      await saveWorker(sealed(kept), strange);
      expect(await sealed(kept).find(QUEUE)).to.deep.equal(strange);
      await secretsWith(kept, NEW).rewrap({});
      expect(await sealed(kept, NEW).find(QUEUE)).to.deep.equal(strange);
    });

    // holds: secrets-at-rest.missing-key
    it('disables a worker whose key is missing, and no other', async () => {
      await saveWorker(sealed(kept, OLD), WORKER);
      const other = { ...WORKER, queue: queueNamed('other') };
      const workers = sealed(kept, NEW);
      await saveWorker(workers, other);
      const reason = 'Secret cannot be read (key 2026a is missing)';
      for (const found of [
        await workers.find(QUEUE),
        (await workers.list([QUEUE])).records.get(QUEUE),
      ]) {
        expect(found).to.deep.include({ disabled: { since: clock.now(), reason } });
      }
      expect(await workers.find(other.queue)).to.deep.equal(other);
      // Enabling it does not help, and loses nothing.
      await workers.change(QUEUE, enabledWorker);
      expect(await workers.find(QUEUE)).to.have.nested.property('disabled.reason', reason);
      expect(await sealed(kept, NEW, OLD).find(QUEUE)).to.deep.equal(WORKER);
    });

    const unreadable = 'Secret cannot be read (key 2026b does not open it)';

    // holds: secrets-at-rest.place
    it('reads no secret that was written for another queue', async () => {
      await saveWorker(sealed(kept, NEW), WORKER);
      const stolen = { ...(await kept.find(QUEUE))!, queue: queueNamed('thief') };
      await saveWorker(kept, stolen);
      const found = await sealed(kept, NEW).find(stolen.queue);
      expect(found).to.have.nested.property('disabled.reason', unreadable);
      expect(JSON.stringify(found)).not.to.contain(HEADER);
    });

    const pointTo = (url: string) =>
      kept.change(QUEUE, (worker) => ({ ...worker, endpoint: { ...worker.endpoint, url } }));

    // holds: secrets-at-rest.place
    it('reads no secret that was written for another origin', async () => {
      await saveWorker(sealed(kept, NEW), WORKER);
      for (const url of ['http://127.0.0.1:2/', 'https://127.0.0.1:1/', 'http://thief:1/']) {
        await pointTo(url);
        const found = await sealed(kept, NEW).find(QUEUE);
        expect(found, url).to.have.nested.property('disabled.reason', unreadable);
        expect(JSON.stringify(found)).not.to.contain(HEADER);
        const rewrap = await secretsWith(kept, NEW).rewrap({});
        expect(rewrap).to.include({ matched: 0, done: 0 });
      }
      await pointTo('HTTP://127.0.0.1:1/another-path');
      expect(await sealed(kept, NEW).find(QUEUE)).not.to.have.property('disabled');
    });

    // holds: secrets-at-rest.place
    it('moves secrets to another origin with a change that goes through the service', async () => {
      const workers = sealed(kept, NEW);
      await saveWorker(workers, WORKER);
      const moved = { ...WORKER, endpoint: { ...WORKER.endpoint, url: 'https://other.example/' } };
      await workers.change(QUEUE, () => moved);
      expect(await sealed(kept, NEW).find(QUEUE)).to.deep.equal(moved);
    });

    // holds: secrets-at-rest.encrypted
    it('gives a change the worker with its secrets, and keeps them encrypted once', async () => {
      const workers = sealed(kept, NEW);
      await saveWorker(workers, WORKER);
      const given: Worker[] = [];
      await workers.change(QUEUE, (worker) => {
        given.push(worker);
        return { ...worker };
      });
      expect(given).to.deep.equal([WORKER]);
      expect(await sealed(kept, NEW).find(QUEUE)).to.deep.equal(WORKER);
    });

    // holds: secrets-at-rest.earlier-versions
    it('reads what earlier versions wrote, until it is rewrapped', async () => {
      const cipher = new AesSecretCipher([NEW]);
      await saveWorker(
        kept,
        withSecrets(WORKER, ({ value, field }) =>
          sealedText({ key: NEW.id, content: cipher.encrypt(NEW.id, value, [QUEUE, field]) }),
        ),
      );
      expect(await sealed(kept, NEW).find(QUEUE)).to.deep.equal(WORKER);
      const secrets = secretsWith(kept, NEW);
      expect(await secrets.rewrap({ dryRun: true })).to.include({ matched: 3, done: 0 });
      expect(await secrets.rewrap({})).to.include({ matched: 3, done: 3 });
      expect(await secrets.rewrap({})).to.include({ matched: 0, done: 0 });
      expect(await sealed(kept, NEW).find(QUEUE)).to.deep.equal(WORKER);
      await pointTo('http://thief/');
      expect(await sealed(kept, NEW).find(QUEUE)).to.have.property('unreadable', unreadable);
    });

    // holds: secrets-at-rest.wrong-key
    it('names a key at start that is not the one first seen under its id', async () => {
      await start(NEW, OLD);
      await start();
      await start(OLD);
      for (const other of ['2026a', '2026b']) {
        const error = await rejection(start(encryptionKey('2026c'), encryptionKey(other, 'wrong')));
        expect(error.message).to.match(
          RegExp(`^ENCRYPTION_KEYS: the key ${other} is not the one that this store knows`),
        );
      }
    });

    // holds: secrets-at-rest.one-worker
    it('starts with a secret that does not open, and disables only its worker', async () => {
      await saveWorker(sealed(kept, NEW), WORKER);
      const other = { ...WORKER, queue: queueNamed('other') };
      await saveWorker(sealed(kept, NEW), other);
      await pointTo('http://thief/');
      expect([await start(NEW), await start(NEW)]).to.deep.equal([[], []]);
      const { records } = await sealed(kept, NEW).list([QUEUE, other.queue]);
      const enabled = [...records.values()].filter(({ disabled }) => disabled === undefined);
      expect(enabled).to.deep.equal([other]);
      expect(await rejection(start(encryptionKey('2026b', 'wrong')))).to.be.an('error');
    });

    // holds: secrets-at-rest.first-seen
    it('takes no key for the right one that opens no secret with its id', async () => {
      await saveWorker(sealed(kept, OLD), WORKER);
      const message = 'An encryption key decrypts no secret with its id, and may be wrong';
      expect(await start(encryptionKey('2026a', 'wrong'))).to.deep.equal([message]);
      expect(await start(OLD)).to.deep.equal([]);
      expect(await rejection(start(encryptionKey('2026a', 'wrong')))).to.be.an('error');
    });

    // holds: secrets-at-rest.rewrap
    it('rewraps what another key keeps, or none, and counts by key', async () => {
      await saveWorker(sealed(kept), { ...WORKER, queue: queueNamed('plain') });
      await saveWorker(sealed(kept, OLD), WORKER);
      await saveWorker(sealed(kept, encryptionKey('lost')), {
        ...WORKER,
        queue: queueNamed('lost'),
      });
      const secrets = secretsWith(kept, NEW, OLD);
      const before = { none: 3, '2026a': 3, lost: 3 };
      expect(await secrets.counts()).to.deep.equal(before);
      const dry = { matched: 6, done: 0, secrets: before };
      expect(await secrets.rewrap({ dryRun: true })).to.deep.equal(dry);
      const after = { lost: 3, '2026b': 6 };
      expect(await secrets.rewrap({})).to.deep.equal({ matched: 6, done: 6, secrets: after });
      expect(await sealed(kept, NEW).find(QUEUE)).to.deep.equal(WORKER);
      expect(await secrets.rewrap({})).to.deep.equal({ matched: 0, done: 0, secrets: after });
    });
  });
}
