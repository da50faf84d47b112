import { Redis } from 'ioredis';
import { expect } from 'chai';
import { openDatabase } from '../../src/adapters/outbound/embedded/file/open-database.ts';
import { ReadableRecords } from '../../src/adapters/outbound/embedded/file/readable-records.ts';
import { databasePath } from '../../src/adapters/outbound/embedded/file/store-files.ts';
import type { StoredRecord } from '../../src/adapters/outbound/memory/records/record.ts';
import { loadConfig } from '../../src/infrastructure/config/load-config.ts';
import { createService } from '../../src/infrastructure/service.ts';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { encryptionKey, encryptionKeysText } from '../support/encryption-key.ts';
import { dumpOf } from '../support/redis/dump-of.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { marked } from './marks.ts';
import { Recording } from './recording.ts';
import { shownKeys } from './shown-keys.ts';

const TOKEN = 'api-token';

const hook = {
  url: 'http://127.0.0.1:1/hooks',
  headers: { Authorization: 'Bearer a' },
  events: ['job.failed'],
};
const job = { name: 'send', data: { to: 'ada@example.com' } };

/** One of each that is kept beside jobs. */
const REQUESTS: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['PUT', '/queues/mail/policy', { labels: { team: 'post' }, defaults: { attempts: 3 } }],
  ['PUT', '/policy', { defaults: { attempts: 5 } }],
  [
    'POST',
    '/workers',
    {
      queue: 'other',
      endpoint: {
        url: 'http://127.0.0.1:1/',
        method: 'post',
        signing: true,
        headers: { 'X-Team': 'post' },
      },
      opts: { concurrency: 2 },
    },
  ],
  ['POST', '/workers/other/disable', { reason: 'it moves' }],
  ['PUT', '/hooks/on-call', hook],
  ['POST', '/tokens', { name: 'shop', rights: ['read', 'add'], queues: ['mail-*'] }],
  [
    'POST',
    '/tokens',
    {
      ...{ name: 'limited', rights: ['read'] },
      limits: { requests: { max: 5, duration: 86_400_000 } },
    },
  ],
  ['POST', '/sessions'],
  ['GET', '/sessions'],
  ['POST', '/tickets', {}],
  [
    'PATCH',
    '/setting-sets/billing',
    { add: [{ kind: 'policy' }, { kind: 'hook', id: 'on-call' }] },
  ],
  ['PUT', '/queues/mail/groups/acme', { concurrency: 2, weight: 3 }],
  [
    'POST',
    '/queues/mail/jobs',
    [{ ...job, opts: { jobId: 'letter', group: { id: 'acme' }, deduplication: { id: 'same' } } }],
  ],
  ['POST', '/queues/mail/pause'],
];

/** The answers that name what the service drew. */
const DRAWING = ['/tokens', '/sessions', '/tickets'];

/** What the service counts and notices as time passes, and what scenes have. */
const PASSING = /jobgate:(?:hours|minutes)-|:(?:replicas|counted|hook-look|stalled-check)\b/;
const PASSING_KINDS = ['queue', 'events', 'figures', 'replica', 'system', 'hook-look'];

describe('a store after one request for everything that is kept', () => {
  it('has the recorded keys in Redis', async () => {
    const server = await RedisServer.start();
    const redis = new Redis(server.uri);
    try {
      const mark = await makeAll({ STORE_URI: server.uri });
      const recording = new Recording('kept-in-redis');
      for (const [key, entries] of shownKeys(await dumpOf(redis, ''), mark)) {
        if (!PASSING.test(key)) recording.note(key, entries.join('\n'));
      }
      recording.expectUnchanged();
    } finally {
      redis.disconnect();
      await server.stop();
    }
  });

  it('has the recorded records in the embedded store', async () => {
    const folder = new TemporaryFolder();
    try {
      const mark = await makeAll({ STORE: 'embedded', STORE_PATH: folder.path });
      const recording = new Recording('kept-on-disk');
      const shown = (await recordsIn(folder.path))
        .filter(({ kind }) => !PASSING_KINDS.includes(kind))
        .map(({ kind, queue, id, value }) => [mark(`${kind} ${queue} ${id}`), mark(value)] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
      for (const [title, value] of shown) recording.note(title, value);
      recording.expectUnchanged();
    } finally {
      folder.remove();
    }
  });
});

/** The records in the folder of a stopped service, in the order of their keys. */
async function recordsIn(path: string): Promise<readonly StoredRecord[]> {
  const database = await openDatabase(databasePath(path));
  try {
    // Without it, a file that was written ahead needs memory that programs share.
    database.exec('PRAGMA locking_mode=EXCLUSIVE');
    const readable = new ReadableRecords(database);
    const records = [...readable.all()];
    expect(readable.damage).to.deep.equal([]);
    return records;
  } finally {
    database.close();
  }
}

/** Makes all requests of a service, and stops it. @returns what marks the names that it drew, and all else that differs. */
async function makeAll(
  environment: Readonly<Record<string, string>>,
): Promise<(text: string) => string> {
  const config = loadConfig(
    {
      PORT: '0',
      AUTH_TOKENS: TOKEN,
      DRAIN_TIME: '0',
      ENCRYPTION_KEYS: encryptionKeysText(encryptionKey('2026a')),
      ...environment,
    },
    { readFile: () => '', isTerminal: false },
  );
  const service = await createService(config, silentLogger);
  await service.start();
  try {
    const drawn = new Map<string, string>();
    let limited = '';
    for (const [method, path, body] of REQUESTS) {
      const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, 'Idempotency-Key': 'order-17' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      expect(answer.ok, `${method} ${path}: ${text}`).to.equal(true);
      const [, name] = /"(?:id|ticket)":"([^"]+)"/.exec(text) ?? [];
      limited = /"token":"([^"]+)"/.exec(text)?.[1] ?? limited;
      if (DRAWING.includes(path) && name !== undefined)
        drawn.set(name, `<id ${drawn.size} of ${path}>`);
    }
    // The token that was made last has a limit, of which a request takes a part.
    const headers = { authorization: `Bearer ${limited}` };
    expect((await fetch(`http://127.0.0.1:${service.port}/whoami`, { headers })).status).to.equal(
      200,
    );
    return (text) =>
      [...drawn].reduce((shown, [name, mark]) => shown.replaceAll(name, mark), marked(text));
  } finally {
    await service.stop();
  }
}
