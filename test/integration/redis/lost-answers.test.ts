import { queueNamed } from '../../support/queue-named.ts';
import { claimOf } from '../../contracts/queue-steps.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { Claim } from '../../../src/domain/attempts/claim.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';

/** Too late for the store to give a job, and early enough that the caller still waits: in milliseconds. */
const LATE = 1400;

const request = { concurrency: 10, lockDuration: 30_000 };

describe('answers of the store that get lost', () => {
  let server: RedisServer;
  let proxy: CuttingProxy;
  let connections: TestConnections;
  let direct: TestConnections;
  let replica: RedisReplica;
  let other: RedisReplica;

  beforeEach(async () => {
    server = await RedisServer.start();
    proxy = await CuttingProxy.start(server.port);
    connections = await TestConnections.open(`redis://127.0.0.1:${proxy.port}`);
    direct = await TestConnections.open(server.uri);
    replica = redisReplica(connections);
    other = redisReplica(direct);
    // On a slow machine the time is asked for several times, and those answers are not the ones to lose.
    await replica.time.measured();
    // The store knows the scripts from now on, so that the answer which is lost is that of a script.
    await replica.attempts.claim(queueNamed('empty'), claimOf(request));
    await other.queues.add(
      queueNamed('mail'),
      [1, 2, 3].map((data) => newJob({ name: 'job', data }, '')),
    );
  });
  afterEach(async () => {
    connections.close();
    direct.close();
    await proxy.close();
    await server.stop();
  });

  function attemptOf(claim: Claim | undefined): Attempt {
    if (claim?.kind !== 'attempt') throw new Error('Nothing was claimed');
    return claim.attempt;
  }

  /** The next time that the connection is ready, whatever goes wrong before. */
  function ready(): Promise<void> {
    return new Promise((resolve) => connections.commands.once('ready', resolve));
  }

  /** Loses the answer of what `work` asks the store. */
  async function withoutAnswer(work: () => Promise<unknown>): Promise<void> {
    const reconnected = ready();
    proxy.cutAfter({ received: 1 });
    await work().then(
      () => expect.fail('The answer came'),
      () => undefined,
    );
    await reconnected;
  }

  async function active(): Promise<number> {
    const { counts } = await other.queues.list(queueNamed('mail'), {
      statuses: [],
      start: 0,
      length: 0,
    });
    return counts.active;
  }

  // holds: attempts.claimed-again
  it('finds the job of a claim whose answer was lost', async () => {
    const lost = claimOf(request);
    await withoutAnswer(() => replica.attempts.claim(queueNamed('mail'), lost));
    expect(await active()).to.equal(1);
    const again = { ...lost, isRepeated: true };
    const attempt = attemptOf(await replica.attempts.claim(queueNamed('mail'), again));
    expect(attempt.job.data).to.equal(1);
    expect(await active()).to.equal(1);
    const ending = { kind: 'completed', returnvalue: null } as const;
    expect((await replica.attempts.settle(queueNamed('mail'), attempt, ending)).held).to.equal(
      true,
    );
    expect(
      attemptOf(await replica.attempts.claim(queueNamed('mail'), claimOf(request))).job.data,
    ).to.equal(2);
  });

  it('finds the next job of an ending whose answer was lost, and records the ending once', async () => {
    const first = attemptOf(await replica.attempts.claim(queueNamed('mail'), claimOf(request)));
    const ending = { kind: 'completed', returnvalue: 'done' } as const;
    const next = claimOf(request);
    await withoutAnswer(() => replica.attempts.settle(queueNamed('mail'), first, ending, next));
    const settled = await replica.attempts.settle(queueNamed('mail'), first, ending, next);
    expect(settled).to.deep.equal({ held: false });
    expect((await other.queues.find(queueNamed('mail'), first.job.id))?.returnvalue).to.equal(
      'done',
    );
    const again = { ...next, isRepeated: true };
    const second = attemptOf(await replica.attempts.claim(queueNamed('mail'), again));
    expect(second.job.data).to.equal(2);
    expect(
      attemptOf(await replica.attempts.claim(queueNamed('mail'), claimOf(request))).job.data,
    ).to.equal(3);
  });

  it('does not keep the end of an attempt from being told when the next job cannot be read', async () => {
    const claim = async (): Promise<Attempt> =>
      attemptOf(await replica.attempts.claim(queueNamed('mail'), claimOf(request)));
    const [first, second] = [await claim(), await claim()];
    // Too large to be read with the claim.
    const step = { name: 'draft', value: JSON.stringify('x'.repeat(100_000)) };
    await replica.steps.save(queueNamed('mail'), second, step);
    await replica.attempts.release(queueNamed('mail'), second);
    const reading = sinon.stub(connections.commands, 'hgetall').rejects(new Error('It broke'));
    const next = claimOf({ ...request, wantsSteps: true });
    const ending = { kind: 'completed', returnvalue: 'done' } as const;
    const settled = await replica.attempts.settle(queueNamed('mail'), first, ending, next);
    expect(settled).to.deep.equal({ held: true, next: undefined });
    reading.restore();
    const again = { ...next, isRepeated: true };
    const attempt = attemptOf(await replica.attempts.claim(queueNamed('mail'), again));
    expect(attempt).to.deep.include({ jobId: second.jobId, steps: [step] });
  });

  it('gives no job to a claim that the store comes to late', async () => {
    process.kill(server.pid, 'SIGSTOP');
    const late = replica.attempts.claim(queueNamed('mail'), claimOf(request)).then(
      () => expect.fail('The claim was answered'),
      () => undefined,
    );
    await late;
    const reconnected = ready();
    process.kill(server.pid, 'SIGCONT');
    await reconnected;
    expect(
      attemptOf(await other.attempts.claim(queueNamed('mail'), claimOf(request))).job.data,
    ).to.equal(1);
    expect(await active()).to.equal(1);
  });

  it('wakes another replica to take the jobs that a late claim did not get', async () => {
    const forever = new AbortController().signal;
    const awoken = (): Promise<void> =>
      other.attempts.waitForJobs(queueNamed('mail'), Date.now() + 60_000, forever);
    await awoken();
    const late = replica.attempts.claim(queueNamed('mail'), claimOf(request));
    process.kill(server.pid, 'SIGSTOP');
    await sleep(LATE);
    process.kill(server.pid, 'SIGCONT');
    expect((await late).kind).to.equal('idle');
    await awoken();
    expect(
      attemptOf(await other.attempts.claim(queueNamed('mail'), claimOf(request))).job.data,
    ).to.equal(1);
  });
});
