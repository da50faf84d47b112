import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { KeptAccessTokens } from '../../../src/application/kept/access-tokens.ts';
import { KNOWN_CHANGES } from '../../../src/adapters/shared/known-changes.ts';
import type { KeptWorkers } from '../../../src/application/kept/workers.ts';
import { MOST_TOKENS, type AccessToken } from '../../../src/domain/access/access-token.ts';
import { ACCESS_TOKENS } from '../../contracts/kinds-of-records.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';

describe('RedisCollection of workers', () => {
  let connections: TestConnections;
  let store: KeptWorkers;
  let key: string;

  beforeEach(async () => {
    connections = await TestConnections.open((await testStore()).uri);
    const prefix = `workers-${randomUUID()}`;
    key = `${prefix}:workers`;
    store = redisReplica(connections, { prefix }).workers;
  });
  afterEach(() => connections.close());

  // holds: record.bad
  it('reports records that are no workers, and returns the others', async () => {
    const good = {
      queue: queueNamed('good'),
      endpoint: { url: 'http://localhost/', method: 'post' },
    } as const;
    await store.put(good.queue, () => good);
    const records = {
      'not-json': 'x',
      'not-an-object': '[]',
      'other-queue': JSON.stringify(good),
      'no-endpoint': '{"queue":"no-endpoint"}',
      'bad-url': '{"queue":"bad-url","endpoint":{"url":"ftp://x","method":"post"}}',
      'bad-opts':
        '{"queue":"bad-opts","endpoint":{"url":"http://x/","method":"post"},"opts":{"concurrency":0}}',
      x: '{"queue":"x","endpoint":{"url":"http://x/","method":"post"}}',
    };
    await connections.commands.hset(key, records);
    const found = await store.list(await store.ids());
    expect([...found.records.values()]).to.deep.equal([good]);
    expect(Object.fromEntries(found.invalid)).to.deep.equal({
      'not-json': 'The record is not JSON',
      'not-an-object': 'The record is not an object',
      'other-queue': 'The record names another queue',
      'no-endpoint': 'endpoint must be an object',
      'bad-url': 'endpoint.url must be a valid http or https URL without user name or password',
      'bad-opts': 'opts.concurrency must be an integer of at least 1',
      x: 'queue must be a string of 3 to 100 characters without ":" or control characters',
    });
    expect(await store.find(queueNamed('not-json'))).to.equal(undefined);
    const better = { ...good, queue: queueNamed('not-json') };
    await store.put(better.queue, (kept) => (kept === undefined ? better : undefined));
    expect(await store.find(better.queue)).to.deep.equal(better);
  });

  // holds: workers.headers
  it('reads a worker of an earlier version with more headers than one may be registered with', async () => {
    const value = 'x'.repeat(16_384);
    const headers = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, value]));
    const endpoint = { url: 'http://localhost/', method: 'post', headers } as const;
    const large = { queue: queueNamed('large'), endpoint };
    await connections.commands.hset(key, large.queue, JSON.stringify(large));
    expect((await store.list([large.queue])).records.get(large.queue)).to.deep.equal(large);
    expect(await store.find(large.queue)).to.deep.equal(large);
  });
});

describe('RedisCollection of access tokens', () => {
  let connections: TestConnections;
  let store: KeptAccessTokens;
  let keys: { readonly tokens: string; readonly changes: string };

  beforeEach(async () => {
    connections = await TestConnections.open((await testStore()).uri);
    const prefix = `tokens-${randomUUID()}`;
    keys = { tokens: `${prefix}::jobgate:tokens`, changes: `${prefix}::jobgate:token-changes` };
    store = redisReplica(connections, { prefix }).accessTokens;
  });
  afterEach(() => connections.close());

  const put = async (id: string, createdAt = 0): Promise<AccessToken> => {
    const token = ACCESS_TOKENS.plain(id, createdAt);
    await store.put(id, () => token);
    return token;
  };

  /** Stores a token, or removes it, as a replica of the version before does. */
  const putAsBefore = async (id: string, token?: AccessToken): Promise<void> => {
    const { commands } = connections;
    if (token === undefined) await commands.hdel(keys.tokens, id);
    else await commands.hset(keys.tokens, id, JSON.stringify(token));
    const count = await commands.hincrby(keys.tokens, '', 1);
    await commands.xadd(keys.changes, 'MAXLEN', '~', 10_000, '*', 'count', count, 'id', id);
  };

  it('reads what a replica of the version before changed', async () => {
    await putAsBefore('same', ACCESS_TOKENS.plain('same', 1));
    await putAsBefore('gone', ACCESS_TOKENS.plain('gone', 1));
    const before = await store.changedSince(undefined);
    expect(before?.removed).to.equal(undefined);
    expect([...before!.records.keys()]).to.have.members(['same', 'gone']);
    await putAsBefore('gone');
    await putAsBefore('new', ACCESS_TOKENS.plain('new', 1));
    const changes = await store.changedSince(before?.version);
    expect(changes?.records).to.deep.equal(new Map([['new', ACCESS_TOKENS.plain('new', 1)]]));
    expect(changes?.removed).to.deep.equal(['gone']);
  });

  it('counts each change, for a replica of the version before', async () => {
    await put('one');
    await putAsBefore('two', ACCESS_TOKENS.plain('two', 1));
    await put('one', 1);
    await store.remove('two');
    await store.remove('two');
    const { commands } = connections;
    const entries = await commands.xrange(keys.changes, '-', '+');
    expect(entries.map(([, fields]) => fields)).to.deep.equal([
      ['count', '1', 'id', 'one'],
      ['count', '2', 'id', 'two'],
      ['count', '3', 'id', 'one'],
      ['count', '4', 'id', 'two'],
    ]);
    expect(await commands.hget(keys.tokens, '')).to.equal('4');
    expect(await store.ids()).to.deep.equal(['one']);
    expect([...(await store.list()).records.keys()]).to.deep.equal(['one']);
  });

  // holds: tokens.bounds
  it('has at most 10,000 tokens, beside the field that counts their changes', async () => {
    await put('first');
    const others = Array.from({ length: MOST_TOKENS - 2 }, (_, i) => [`id-${i}`, '{}']);
    await connections.commands.hset(keys.tokens, ...others.flat());
    await put('last');
    expect(await rejection(put('excess'))).to.include({ code: 'too-many-tokens' });
    await put('first', 1);
    await store.remove('last');
    await put('excess');
  });

  it('reads all of many tokens, however large some of them are', async () => {
    const tokens = Array.from({ length: 1500 }, (_, index) => {
      const name = 'x'.repeat(index % 500 === 0 ? 300_000 : 1);
      return { ...ACCESS_TOKENS.plain(`id-${index}`, index), name };
    });
    const texts = tokens.map((token) => [token.id, JSON.stringify(token)]);
    await connections.commands.hset(keys.tokens, ...texts.flat());
    await put('last');
    const all = await store.changedSince(undefined);
    expect(all?.records.size).to.equal(tokens.length + 1);
    for (const token of tokens) expect(all?.records.get(token.id)).to.deep.equal(token);
  });

  it('reads all tokens once it has missed too many changes, or their list is another', async () => {
    const token = await put('one');
    const before = await store.changedSince(undefined);
    for (let change = 0; change <= KNOWN_CHANGES; change += 1) await putAsBefore('one', token);
    const later = await store.changedSince(before?.version);
    expect(later?.removed).to.equal(undefined);
    expect([...later!.records.keys()]).to.deep.equal(['one']);
    await connections.commands.del(keys.tokens, keys.changes);
    const emptied = await store.changedSince(later?.version);
    expect(emptied).to.deep.equal({ version: '', records: new Map(), removed: undefined });
    await put('two');
    const filled = await store.changedSince(later?.version);
    expect(filled?.removed).to.equal(undefined);
    expect([...filled!.records.keys()]).to.deep.equal(['two']);
  });
});

describe('RedisCollection of subscriptions', () => {
  it('keeps the latest records parsed, up to 16 MB of texts', async () => {
    const connections = await TestConnections.open((await testStore()).uri);
    try {
      const { subscriptions } = redisReplica(connections, { prefix: `topics-${randomUUID()}` });
      const ids = ['orders/one', 'orders/two', 'orders/three'];
      const [queue, large] = [queueNamed('mail'), 'x'.repeat(6_000_000)];
      for (const id of ids) {
        const opts = { jobId: large };
        await subscriptions.put(id, () => ({ id, queue, opts, onFull: 'refuse', paused: false }));
      }
      const find = (id = ''): Promise<unknown> => subscriptions.find(id);
      const [one, two, three] = [await find(ids[0]), await find(ids[1]), await find(ids[2])];
      expect(await find(ids[2]), 'unchanged').to.equal(three);
      expect(await find(ids[1])).to.equal(two);
      const again = await find(ids[0]);
      expect(again).to.deep.equal(one);
      expect(again).not.to.equal(one);
    } finally {
      connections.close();
    }
  });
});
