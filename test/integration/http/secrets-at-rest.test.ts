import type { KeptWorkers } from '../../../src/application/kept/workers.ts';
import { expect } from 'chai';
import { workersInMemory } from '../../support/collections.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { encryptionKey } from '../../support/encryption-key.ts';
import { HttpService } from './support/http-service.ts';

const OLD = encryptionKey('2026a');
const NEW = encryptionKey('2026b');
const REASON = 'Secret cannot be read (key 2026a is missing)';

const ENDPOINT = {
  url: 'http://127.0.0.1:1/',
  method: 'post',
  headers: { Authorization: 'secret' },
  signing: true,
};

describe('Secrets at rest', () => {
  let keptWorkers: KeptWorkers;
  let service: HttpService;

  const restart = async (...encryptionKeys: (typeof OLD)[]): Promise<void> => {
    await service.stop();
    service = await new HttpService({ keptWorkers, encryptionKeys }).start();
  };
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await service.request(method, path, { body });
    return { status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
  };

  beforeEach(async () => {
    keptWorkers = workersInMemory();
    service = await new HttpService({ keptWorkers, encryptionKeys: [OLD] }).start();
    for (const queue of ['mail', 'bills']) {
      await call('POST', '/workers', { queue, endpoint: ENDPOINT });
    }
  });
  afterEach(() => service.stop());

  // holds: secrets-at-rest.missing-key
  it('disables workers whose key is missing, and breaks no answer', async () => {
    await restart(NEW);
    const listed = { bills: ENDPOINT.url, mail: ENDPOINT.url };
    expect((await call('GET', '/workers')).body).to.deep.equal(listed);
    const health = { state: 'disabled', reason: REASON };
    expect((await call('GET', '/workers/mail/health')).body).to.deep.include(health);
    const shown = { endpoint: { ...ENDPOINT, headers: { Authorization: '[redacted]' } } };
    expect((await call('GET', '/workers/mail')).body).to.deep.include(shown);
    const { body } = await call('GET', '/workers?view=health');
    expect(body).to.have.nested.property('workers[0].reason', REASON);
    expect((await call('GET', '/queues/mail')).status).to.equal(200);
    for (const path of ['/workers/mail/test', '/workers/mail/rotate-secret']) {
      expect(await call('POST', path), path).to.deep.equal({ status: 409, body: REASON });
    }
    expect((await call('POST', '/workers/mail/enable')).status).to.equal(200);
    expect((await call('GET', '/workers/mail/health')).body).to.deep.include(health);
  });

  // holds: secrets-at-rest.place
  it('gives no secret to another origin that somebody wrote into the record', async () => {
    const pointTo = (url: string) =>
      keptWorkers.change(queueNamed('mail'), (kept) => {
        return { ...kept, endpoint: { ...kept.endpoint, url } };
      });
    for (const url of ['http://127.0.0.1:2/', 'https://127.0.0.1:1/', 'http://[::1]:1/']) {
      await pointTo(url);
      const reason = 'Secret cannot be read (key 2026a does not open it)';
      const health = { state: 'disabled', reason };
      expect((await call('GET', '/workers/mail/health')).body, url).to.deep.include(health);
      expect(await call('POST', '/workers/mail/test')).to.deep.equal({ status: 409, body: reason });
      expect((await call('GET', '/workers/bills/health')).body).to.include({ state: 'healthy' });
    }
    await pointTo('http://127.0.0.1:1/other-path');
    expect((await call('GET', '/workers/mail/health')).body).to.include({ state: 'healthy' });
  });

  // holds: secrets-at-rest.heals
  it('heals a worker that is registered again, and gives it a new secret', async () => {
    await restart(NEW);
    const { body } = await call('POST', '/workers', { queue: 'mail', endpoint: ENDPOINT });
    expect(body)
      .to.have.property('secret')
      .that.matches(/^whsec_/);
    expect((await call('GET', '/workers/mail/health')).body).to.include({ state: 'healthy' });
    expect((await call('GET', '/workers/bills/health')).body).to.include({ state: 'disabled' });
    expect((await call('GET', '/system')).body).to.deep.include({
      secrets: { '2026a': 2, '2026b': 2 },
    });
  });

  // holds: secrets-at-rest.rewrap
  it('rewraps on request, and records that', async () => {
    await restart(NEW, OLD);
    const before = { matched: 4, done: 0, secrets: { '2026a': 4 } };
    const after = { matched: 4, done: 4, secrets: { '2026b': 4 } };
    const rewrap = (body?: unknown) => call('POST', '/secrets/rewrap', body);
    expect(await rewrap({ dryRun: true })).to.deep.equal({ status: 200, body: before });
    expect(await rewrap()).to.deep.equal({ status: 200, body: after });
    const { entries } = (await call('GET', '/audit?action=secrets.*')).body as {
      entries: readonly unknown[];
    };
    expect(entries).to.have.lengthOf(1);
    expect(entries[0]).to.deep.include({ outcome: 'ok', detail: { matched: 4, done: 4 } });
    await restart(NEW);
    expect((await call('GET', '/workers/mail/health')).body).to.include({ state: 'healthy' });
    expect(await rewrap({ dryRun: 1 })).to.include({ status: 400 });
  });

  // holds: secrets-at-rest.without-keys, system.warnings
  it('warns if there are no keys once a worker has secrets', async () => {
    keptWorkers = workersInMemory();
    await restart();
    const codes = async () => {
      const { warnings } = (await call('GET', '/system')).body as { warnings: { code: string }[] };
      return warnings.map(({ code }) => code);
    };
    const { url, method } = ENDPOINT;
    await call('POST', '/workers', { queue: 'mail', endpoint: { url, method } });
    expect(await codes()).not.to.include('secrets');
    await call('POST', '/workers', { queue: 'mail', endpoint: ENDPOINT });
    expect(await codes()).to.include('secrets');
    expect((await call('GET', '/system')).body).to.deep.include({ secrets: { none: 2 } });
    expect(await call('POST', '/secrets/rewrap')).to.deep.equal({
      status: 409,
      body: 'ENCRYPTION_KEYS is not set',
    });
  });
});
