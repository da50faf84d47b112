import { expect } from 'chai';
import type { Claim } from '../../../src/domain/attempts/claim.ts';
import {
  addEach,
  ANY,
  claimOf,
  countsOf,
  FAILED,
  HOUR,
  pausedIn,
  process,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';

describe('a store whose memory is used up', () => {
  let server: RedisServer;
  let connections: TestConnections;
  let replica: RedisReplica;

  before(async () => {
    server = await RedisServer.start();
    connections = await TestConnections.open(server.uri);
    replica = redisReplica(connections);
  });
  afterEach(() => connections.commands.config('SET', 'maxmemory', 0));
  after(async () => {
    connections.close();
    await server.stop();
  });

  it('defers jobs, and holds and releases a queue', async () => {
    const queue = uniqueQueue();
    const claim = (): Promise<Claim> => replica.attempts.claim(queue, claimOf(ANY));
    const [, second] = await addEach(replica.queues, queue, {}, {}, {});
    await take(replica.attempts, queue);
    await connections.commands.config('SET', 'maxmemory', 1);
    await replica.attempts.settle(queue, await take(replica.attempts, queue), {
      kind: 'deferred',
      reason: 'not now',
      scope: 'queue',
      until: Date.now() + HOUR,
      call: { outcome: 'deferred', status: 429 },
    });
    await replica.queueControl.hold(queue, HOUR);
    expect((await claim()).kind).to.equal('limited');
    await replica.queueControl.endHold(queue);
    const attempt = await take(replica.attempts, queue);
    expect(attempt.jobId).to.equal(second);
    await replica.attempts.release(queue, attempt);
    expect(await countsOf(replica.queues, queue)).to.include({ active: 1, waiting: 2 });
  });

  it('acts on jobs', async () => {
    const queue = uniqueQueue();
    const { attempts, jobControl, queues } = replica;
    const [
      failing = '',
      active = '',
      waiting = '',
      changed = '',
      delayed = '',
      later = '',
      gone = '',
    ] = await addEach(queues, queue, {}, {}, {}, {}, { delay: HOUR }, { delay: HOUR }, {});
    await process(attempts, queue, FAILED);
    await take(attempts, queue);
    await connections.commands.config('SET', 'maxmemory', 1);
    const outcomes = [
      await jobControl.retry(queue, failing, {}),
      await jobControl.cancel(queue, active, { reason: 'not needed' }),
      await jobControl.cancel(queue, waiting, { reason: 'not needed' }),
      await jobControl.change(queue, changed, { priority: 3 }),
      await jobControl.change(queue, later, { delay: 2 * HOUR }),
      await jobControl.promote(queue, delayed),
      await jobControl.remove(queue, gone),
    ];
    for (const outcome of outcomes) expect(outcome).to.deep.equal({ kind: 'done' });
    expect(await countsOf(queues, queue)).to.include({
      active: 0,
      waiting: 2,
      prioritized: 1,
      delayed: 1,
      failed: 2,
    });
  });

  it('pauses, resumes, drains and removes a queue', async () => {
    const queue = uniqueQueue();
    const { queueControl, queues } = replica;
    await addEach(queues, queue, {}, {}, { delay: HOUR });
    await connections.commands.config('SET', 'maxmemory', 1);
    await queueControl.pause(queue);
    expect(await pausedIn(replica.queueDirectory, queue)).to.equal(true);
    await queueControl.resume(queue);
    expect(await pausedIn(replica.queueDirectory, queue)).to.equal(false);
    expect(await queueControl.drain(queue, {})).to.equal(2);
    expect(await queueControl.remove(queue, false)).to.deep.equal({
      kind: 'removed',
      jobs: 1,
      schedulers: 0,
    });
  });
});
