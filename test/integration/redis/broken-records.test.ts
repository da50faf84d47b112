import { noPolicies } from '../../support/no-policies.ts';
import { queueNamed } from '../../support/queue-named.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { claimOf } from '../../contracts/queue-steps.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { CallCapacity } from '../../../src/application/calls/call-capacity.ts';
import { AttemptLog } from '../../../src/application/attempts/attempt-log.ts';
import { QueueConsumer } from '../../../src/application/calls/queue-consumer.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { eventually } from '../../support/eventually.ts';
import { RecordedWebhook } from '../../support/recorded-webhook.ts';
import { redisReplica, TestConnections } from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';
import { silentLogger } from '../../support/silent-logger.ts';

/** What may have become of the job: it was called, or it failed without a call for such a reason. */
type Fate = 'called' | RegExp;

/** Fields of a job's hash as no client of ours writes them; null stands for a missing one. */
const BROKEN: readonly (readonly [Readonly<Record<string, string | null>>, Fate])[] = [
  [{ opts: 'null' }, 'called'],
  [{ opts: '[]' }, 'called'],
  [{ opts: 'not JSON' }, 'called'],
  [{ opts: null }, 'called'],
  [{ opts: '{"attempts":{}}' }, /^opts\.attempts /],
  [{ opts: '{"attempts":"3"}' }, /^opts\.attempts /],
  [{ opts: '{"attempts":3,"backoff":null}' }, /^opts\.backoff /],
  [{ opts: '{"backoff":{"type":"fixed","delay":{}}}' }, /^opts\.backoff\.delay /],
  [{ opts: '{"attempts":-1.5,"backoff":{"type":"own"}}' }, 'called'],
  [{ opts: '{"removeOnComplete":{"count":"x","age":{}}}' }, 'called'],
  [{ opts: '{"removeOnComplete":{"count":1.5,"age":1e9,"limit":"x"}}' }, 'called'],
  [{ opts: '{"removeOnComplete":[],"removeOnFail":"x","kl":{},"fpof":{}}' }, 'called'],
  [{ opts: '{"attempts":{},"removeOnFail":{"count":"x"}}' }, /^opts\.attempts /],
  [{ stacktrace: '[{"toString":1}]' }, 'called'],
  [{ stacktrace: '{"a":1}' }, 'called'],
  [{ stacktrace: 'x' }, 'called'],
  [{ timestamp: 'x' }, 'called'],
  [{ timestamp: null }, 'called'],
  [{ priority: 'x' }, 'called'],
  [{ priority: 'nan' }, 'called'],
  [{ delay: 'x' }, 'called'],
  [{ name: null }, /has no name/],
  [{ data: null }, 'called'],
  [{ data: '{broken' }, 'called'],
  [{ progress: '{broken', returnvalue: '{broken' }, 'called'],
  [{ ats: 'x' }, 'called'],
  [{ atm: '1.5' }, 'called'],
  [{ stc: 'x' }, 'called'],
  [{ parent: 'x' }, 'called'],
  [{ parent: '[]' }, 'called'],
  [{ parent: '{"id":1}', parentKey: 'x' }, 'called'],
  [{ parentKey: 'x' }, 'called'],
  [{ deid: 'x' }, 'called'],
];

/** How an endpoint may answer: every way in which an attempt is recorded. */
const ANSWERS = [200, 500] as const;

describe('records that other programs broke', () => {
  let connections: TestConnections;
  let webhook: RecordedWebhook;
  let consumer: QueueConsumer;
  let queue: QueueName;
  let key: (suffix: string) => string;
  let replica: ReturnType<typeof redisReplica>;

  before(async () => {
    connections = await TestConnections.open((await testStore()).uri);
    replica = redisReplica(connections);
  });
  after(() => {
    connections.close();
  });

  beforeEach(() => {
    queue = queueNamed(`broken-${randomUUID()}`);
    key = (suffix) => `bull:${queue}:${suffix}`;
    webhook = new RecordedWebhook();
    const clock = new SystemClock();
    consumer = new QueueConsumer(
      { queue, endpoint: { url: 'http://localhost:1/', method: 'post' } },
      {
        attempts: replica.attempts,
        holders: replica.attempts,
        policies: noPolicies,
        tokens: new RandomTokens(),
        webhook,
        clock,
        logger: silentLogger,
        observer: new AttemptLog(silentLogger, clock),
        lockDuration: 30_000,
        renewalInterval: 5000,
        disable: () => Promise.resolve(),
        notifyClosed: () => undefined,
        capacity: new CallCapacity(clock, silentLogger),
      },
    );
  });
  afterEach(async () => {
    const stopped = consumer.stop();
    await consumer.giveUp();
    await stopped;
  });

  async function add(name: string): Promise<string> {
    const [job] = await replica.queues.add(queue, [newJob({ name, data: null }, '')]);
    return job!.id;
  }

  async function store(id: string, fields: Readonly<Record<string, string | null>>): Promise<void> {
    for (const [field, value] of Object.entries(fields)) {
      if (value === null) await connections.commands.hdel(key(id), field);
      else await connections.commands.hset(key(id), field, value);
    }
  }

  /** Resolves when the next job is called; answers the broken one if it is called before. */
  async function nextIsCalled(status: number): Promise<readonly string[]> {
    const called: string[] = [];
    for (let index = 0; ; index += 1) {
      const call = await webhook.nth(index);
      if (call.job.name === 'next') {
        call.answer();
        return called;
      }
      called.push(call.job.id);
      call.answer(status);
    }
  }

  const finished = (id: string, set: string): Promise<unknown> =>
    eventually(`job ${id} is ${set}`, async () => {
      return (await connections.commands.zscore(key(set), id)) !== null;
    });

  for (const [fields, fate] of BROKEN) {
    for (const status of fate === 'called' ? ANSWERS : [200]) {
      // holds: security.broken-record
      it(`${JSON.stringify(fields)}: ${String(fate)} once, answered with ${status}, and the queue goes on`, async () => {
        const id = await add('broken');
        await store(id, fields);
        const next = await add('next');
        consumer.start();
        expect(await nextIsCalled(status)).to.deep.equal(fate === 'called' ? [id] : []);
        await finished(next, 'completed');
        await finished(id, fate === 'called' && status === 200 ? 'completed' : 'failed');
        if (fate !== 'called') {
          expect(await connections.commands.hget(key(id), 'failedReason')).to.match(fate);
        }
        expect(await connections.commands.llen(key('active'))).to.equal(0);
      });
    }
  }

  it('an id without any record fails, and the queue goes on', async () => {
    await connections.commands.lpush(key('wait'), 'gone');
    const next = await add('next');
    consumer.start();
    expect(await nextIsCalled(200)).to.deep.equal([]);
    await finished(next, 'completed');
    expect(await connections.commands.hget(key('gone'), 'failedReason')).to.match(/has no name/);
  });

  it('an id under which something else is stored leaves the queue, which goes on', async () => {
    await connections.commands.set(key('text'), 'no job');
    await connections.commands.lpush(key('wait'), 'text');
    const next = await add('next');
    consumer.start();
    expect(await nextIsCalled(200)).to.deep.equal([]);
    await finished(next, 'completed');
    expect(await connections.commands.llen(key('active'))).to.equal(0);
    expect(await connections.commands.get(key('text'))).to.equal('no job');
  });

  it('a due job whose priority is no number is called', async () => {
    const job = newJob({ name: 'broken', data: null, opts: { delay: 1 } }, '');
    const [delayed] = await replica.queues.add(queue, [job]);
    await store(delayed!.id, { priority: 'nan' });
    consumer.start();
    const call = await webhook.nth(0);
    expect(call.job.id).to.equal(delayed!.id);
    call.answer();
  });

  it('a job that stalls with a count that is no integer is called again', async () => {
    const id = await add('broken');
    await store(id, { stc: 'x' });
    await replica.attempts.claim(queue, claimOf({ concurrency: 1, lockDuration: 1 }));
    await eventually('it is put back', async () => {
      return (await replica.attempts.recoverStalled(queue, 1)).stalled.length > 0;
    });
    consumer.start();
    expect((await webhook.nth(0)).job.id).to.equal(id);
  });

  it('a job that is tried again with a count that is no integer ends after all', async () => {
    const id = await add('broken');
    await store(id, { opts: '{"attempts":2,"backoff":1}', atm: 'x' });
    const next = await add('next');
    consumer.start();
    await nextIsCalled(500);
    await finished(next, 'completed');
    await eventually('it is called again', () => Promise.resolve(webhook.calls.length > 2));
    webhook.calls[2]!.answer();
    await finished(id, 'completed');
  });
});
