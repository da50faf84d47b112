import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Jobs } from '../../../src/application/jobs/jobs.ts';
import type { AddIdentity } from '../../../src/domain/jobs/add-identity.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';
import { HttpService, type Answer } from './support/http-service.ts';
import { RawConnection } from './support/raw-connection.ts';

interface Added {
  readonly id: string;
}

describe('The header Idempotency-Key', () => {
  const OTHER_TOKEN = 'other-token';
  let service: HttpService;
  let tests = 0;
  let queue: string;

  before(async () => {
    service = await new HttpService({
      keptIn: 'postgres',
      knownTokens: restrictedTokens({ [OTHER_TOKEN]: { rights: ['admin'], queues: null } }),
      maxJobsPerAdd: 3,
    }).start();
  });
  beforeEach(() => {
    tests += 1;
    queue = `/queues/idempotent-${tests}`;
  });
  after(() => service.stop());

  const add = (
    key: string,
    body: unknown = [{ name: 'work', data: 1 }],
    path = `${queue}/jobs`,
    token = 'api-token',
  ): Promise<Answer> =>
    service.request('POST', path, { body, token, headers: { 'Idempotency-Key': key } });

  const replayed = ({ headers }: Answer): string | null => headers.get('idempotent-replayed');

  const waiting = async (): Promise<number> => {
    const { text } = await service.request('GET', queue);
    return (JSON.parse(text) as { counts: { waiting: number } }).counts.waiting;
  };

  // holds: idempotency.replay
  it('answers a repeat as the first request was answered, and says so', async () => {
    const first = await add('order-17');
    expect(first.status).to.equal(200);
    expect(replayed(first)).to.equal(null);
    const repeat = await add('order-17');
    expect(repeat).to.include({ status: 200, text: first.text });
    expect(replayed(repeat)).to.equal('true');
    expect(await waiting()).to.equal(1);
  });

  // holds: idempotency.policy
  it('answers a repeat as the first request, even if the policy has changed since', async () => {
    const policy = `${queue}/policy`;
    const first = await add('order-17');
    await service.request('PUT', policy, { body: { defaults: { attempts: 3 }, maxJobSize: 0 } });
    const repeat = await add('order-17');
    expect(repeat).to.include({ status: 200, text: first.text });
    expect(replayed(repeat)).to.equal('true');
    expect((await add('order-17', [{ name: 'other', data: 1 }])).status).to.equal(422);
    expect((await add('order-18')).status).to.equal(413);

    await service.request('PUT', policy, { body: { defaults: { attempts: 3 } } });
    const ruled = await add('order-18');
    expect(ruled.text).to.include('"attempts":3');
    await service.request('DELETE', policy);
    expect(await add('order-18')).to.include({ status: 200, text: ruled.text });
    expect(await waiting()).to.equal(2);
  });

  // holds: policy.max-waiting-repeat
  it('remembers no add that a full queue refused, and answers a repeat of one that was not', async () => {
    const policy = `${queue}/policy`;
    await service.request('PUT', policy, { body: { maxWaiting: 1 } });
    const first = await add('order-17');
    expect((await add('order-18')).status).to.equal(429);
    expect(await add('order-17')).to.include({ status: 200, text: first.text });
    await service.request('DELETE', policy);
    const later = await add('order-18');
    expect(later.status).to.equal(200);
    expect(replayed(later)).to.equal(null);
  });

  // holds: idempotency.other-body
  it('answers 422 for another body, even for the same jobs in other bytes', async () => {
    await add('order-17', '[{"name":"work","data":1}]');
    const other = await add('order-17', '[{"name":"work", "data":1}]');
    expect(other.status).to.equal(422);
    expect(other.text).to.equal('The Idempotency-Key was used for a request with another body');
    expect(await waiting()).to.equal(1);
  });

  // holds: idempotency.scope
  it('keeps the keys of each token and each path apart', async () => {
    const ids = new Set<string>();
    for (const [path, token] of [
      [`${queue}/jobs`, 'api-token'],
      [`${queue}/jobs`, OTHER_TOKEN],
      [queue, 'api-token'],
    ] as const) {
      const answer = await add('order-17', undefined, path, token);
      expect(replayed(answer)).to.equal(null);
      const [{ id }] = JSON.parse(answer.text) as [Added];
      ids.add(id);
      expect(replayed(await add('order-17', undefined, path, token))).to.equal('true');
    }
    expect(ids.size).to.equal(3);
    const elsewhere = await add('order-17', undefined, `${queue}-elsewhere/jobs`);
    expect(replayed(elsewhere)).to.equal(null);
  });

  // holds: idempotency.flows, idempotency.policy, idempotency.scope
  it('adds a flow once, and answers a repeat with its tree, whatever the policy is by then', async () => {
    const name = queue.slice('/queues/'.length);
    const part = { queue: name, name: 'part', data: 1 };
    const tree = { queue: name, name: 'all', data: null, children: [part] };
    await service.request('PUT', `${queue}/policy`, { body: { defaults: { attempts: 2 } } });
    const first = await add('tree-17', tree, '/flows');
    expect(first.status).to.equal(200);
    expect(replayed(first)).to.equal(null);
    expect(first.text).to.include('"attempts":2');
    await service.request('PUT', `${queue}/policy`, { body: { maxJobSize: 0, maxWaiting: 1 } });
    const repeat = await add('tree-17', tree, '/flows');
    expect(repeat).to.include({ status: 200, text: first.text });
    expect(replayed(repeat)).to.equal('true');
    const other = await add('tree-17', { ...tree, name: 'other' }, '/flows');
    expect(other.status).to.equal(422);
    expect(other.text).to.equal('The Idempotency-Key was used for a request with another body');
    expect((await add('tree-18', tree, '/flows')).status).to.equal(413);
    await service.request('DELETE', `${queue}/policy`);
    const ofOther = await add('tree-17', tree, '/flows', OTHER_TOKEN);
    expect(ofOther.status).to.equal(200);
    expect(replayed(ofOther)).to.equal(null);
    expect(await waiting()).to.equal(2);
  });

  // holds: idempotency.only-success
  it('remembers no request that failed', async () => {
    for (const bad of ['[{"name":1}]', 'no JSON', Array(4).fill({ name: 'work', data: 1 })]) {
      expect((await add('order-17', bad)).status).to.be.oneOf([400, 413]);
    }
    const good = await add('order-17');
    expect(good.status).to.equal(200);
    expect(replayed(good)).to.equal(null);
  });

  // holds: idempotency.replay
  it('remembers even an add of no jobs', async () => {
    expect(replayed(await add('order-17', []))).to.equal(null);
    expect(replayed(await add('order-17', []))).to.equal('true');
    expect((await add('order-17')).status).to.equal(422);
  });

  for (const key of ['a', '!" #~', 'k'.repeat(255)]) {
    // holds: idempotency.header
    it(`accepts a key of ${key.length} characters: ${key.slice(0, 10)}`, async () => {
      await add(key);
      expect(replayed(await add(key))).to.equal('true');
    });
  }

  for (const key of ['', '""', 'k'.repeat(256), `"${'k'.repeat(256)}"`, 'a\tb', '"a\tb"', 'ü']) {
    // holds: idempotency.header
    it(`answers 400 for a key of ${key.length} characters: ${JSON.stringify(key.slice(0, 10))}`, async () => {
      const answer = await add(key);
      expect(answer.status).to.equal(400);
      expect(answer.text).to.equal(
        'Idempotency-Key must be of 1 to 255 printable ASCII characters',
      );
    });
  }

  // holds: idempotency.quoted
  it('takes a key in quotes, as the IETF draft writes it, for the same key without them', async () => {
    const first = await add('order "17" \\');
    expect(first.status).to.equal(200);
    for (const quoted of ['"order \\"17\\" \\\\"', ' "order \\"17\\" \\\\" ']) {
      const repeat = await add(quoted);
      expect(repeat).to.include({ status: 200, text: first.text });
      expect(replayed(repeat)).to.equal('true');
    }
    const longest = await add(`"${'"'.repeat(255).replaceAll('"', '\\"')}"`);
    expect(longest.status).to.equal(200);
    expect(await waiting()).to.equal(2);
  });

  for (const broken of ['"order', '"or"der"', '"order\\"', '"or\\der"', '"order";a=1']) {
    // holds: idempotency.quoted
    it(`answers 400 for a key that begins with a quote and is no string: ${broken}`, async () => {
      const answer = await add(broken);
      expect(answer).to.include({
        status: 400,
        text: 'Idempotency-Key that begins with a quote must be a structured string, such as "order-17"',
      });
    });
  }

  // holds: idempotency.header
  it('answers 400 for two keys', async () => {
    const connection = new RawConnection(service.server.port);
    connection.send(
      `POST ${queue}/jobs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer api-token\r\nContent-Length: 2\r\n` +
        'Idempotency-Key: a\r\nIdempotency-Key: b\r\nConnection: close\r\n\r\n[]',
    );
    const answer = await connection.untilClosed();
    expect(answer).to.include('HTTP/1.1 400').and.to.include('Idempotency-Key must be given once');
  });

  // holds: idempotency.secret
  it('passes only digests of itself, of the token and of the body to the store', async () => {
    const identities: AddIdentity[] = [];
    const addOnce = (_queue: unknown, _jobs: unknown, identity: AddIdentity): object => {
      identities.push(identity);
      return { jobs: [], isRepeated: false };
    };
    const other = await new HttpService({
      replace: { jobs: { addOnce } as unknown as Jobs },
    }).start();
    const headers = { 'Idempotency-Key': 'order-17' };
    await other.request('POST', `${queue}/jobs`, { body: [], headers });
    await other.stop();
    const body = createHash('sha256').update('[]').digest('base64url');
    expect(identities).to.have.length(1);
    expect(identities[0]?.body).to.equal(body);
    expect(identities[0]?.key).to.match(/^[\w-]{43}$/);
  });

  it('is ignored where nothing is added', async () => {
    const headers = { 'Idempotency-Key': '' };
    expect((await service.request('POST', `${queue}/pause`, { headers })).status).to.equal(200);
  });

  // holds: idempotency.replay
  it('replays adds with long bodies', async () => {
    const body = [{ name: 'work', data: 'x'.repeat(600_000) }];
    const first = await add('long', body);
    const repeat = await add('long', body);
    expect(repeat.text).to.equal(first.text);
    expect(replayed(repeat)).to.equal('true');
    const other = [{ name: 'work', data: `${'x'.repeat(599_999)}y` }];
    expect((await add('long', other)).status).to.equal(422);
  });
});
