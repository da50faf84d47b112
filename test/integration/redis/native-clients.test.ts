import { queueNamed } from '../../support/queue-named.ts';
import { once } from 'node:events';
import type { Job as NativeJob } from 'bullmq';
import { expect } from 'chai';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import { JOB_STATES, JOB_STATUSES } from '../../../src/domain/jobs/job-status.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';
import { claimOf, HOUR, listPage, logsOf, NO_JOBS, take } from '../../contracts/queue-steps.ts';
import { collected } from '../../support/collected.ts';

const claimRequest = { concurrency: 5, lockDuration: 30_000 };

describeBesideNative('sharing queues with native BullMQ clients', (clients) => {
  // holds: service.native-library
  it('lets a native worker process what is added here', async () => {
    await clients.replica.queues.add(clients.name, [
      newJob({ name: 'sum', data: { a: 1, b: 2 }, opts: { attempts: 2 } }, ''),
      newJob({ name: 'sum', data: { a: 3, b: 4 }, opts: { priority: 2_097_152 } }, ''),
      newJob({ name: 'sum', data: { a: 5, b: 6 }, opts: { delay: 1 } }, ''),
    ]);
    const seen: NativeJob[] = [];
    const worker = clients.worker(clients.name, (job: NativeJob<{ a: number; b: number }>) => {
      seen.push(job);
      return Promise.resolve(job.data.a + job.data.b);
    });
    while (seen.length < 3) await once(worker, 'completed');
    expect(seen.map(({ data }) => (data as { a: number }).a)).to.have.members([1, 3, 5]);
    const { jobs } = await listPage(clients.replica.queues, clients.name, {
      statuses: ['completed'],
      start: 0,
      length: 10,
    });
    expect(jobs.map(({ returnvalue }) => returnvalue)).to.have.members([3, 7, 11]);
  });

  it('counts what starts here for the limiter of native workers', async () => {
    const limited = { ...claimRequest, limiter: { max: 2, duration: 60_000 } };
    const native = clients.queue();
    await native.addBulk([1, 2, 3].map((data) => ({ name: 'job', data })));
    await clients.replica.attempts.claim(clients.name, claimOf(limited));
    expect(await native.getRateLimitTtl(2)).to.be.at.most(0);
    await clients.replica.attempts.claim(clients.name, claimOf(limited));
    expect(await native.getRateLimitTtl(2)).to.be.within(50_000, 60_000);
  });

  // holds: costs.native
  it('counts costs there, and what endings say of them', async () => {
    const { attempts, queues } = clients.replica;
    const limited = { ...claimRequest, limiter: { max: 10, duration: 60_000 } };
    const native = clients.queue();
    const jobs = [4, 0, 6].map((cost) => newJob({ name: 'job', data: 1, opts: { cost } }, ''));
    await queues.add(clients.name, jobs);
    const first = await attempts.claim(clients.name, claimOf(limited));
    await attempts.claim(clients.name, claimOf(limited));
    expect(await native.getRateLimitTtl(4)).to.be.above(50_000);
    expect(await native.getRateLimitTtl(5)).to.be.at.most(0);
    if (first.kind !== 'attempt') throw new Error('No job');
    const call = { outcome: 'completed', cost: 9 } as const;
    const ending = { kind: 'completed', returnvalue: null, call } as const;
    await attempts.settle(clients.name, first.attempt, ending);
    expect(await native.getRateLimitTtl(9)).to.be.above(50_000);
    expect((await attempts.claim(clients.name, claimOf(limited))).kind).to.equal('limited');
  });

  it('takes no job while a native client lets the queue wait, however long', async () => {
    const limited = { ...claimRequest, limiter: { max: 2, duration: 1000 } };
    const native = clients.queue();
    await native.add('job', 1);
    await native.rateLimit(60_000);
    for (let turn = 0; turn < 2; turn += 1) {
      const claim = await clients.replica.attempts.claim(clients.name, claimOf(limited));
      if (claim.kind !== 'limited') throw new Error(`Not limited: ${claim.kind}`);
      expect(claim.until - Date.now()).to.be.above(50_000);
    }
  });

  it('keeps to a limiter beside a native worker that has the same', async () => {
    const limiter = { max: 3, duration: 1000 };
    const starts: number[] = [];
    const native = clients.queue();
    await native.addBulk(Array.from({ length: 12 }, (_, data) => ({ name: 'job', data })));
    const worker = clients.worker(clients.name, () => Promise.resolve(starts.push(Date.now())), {
      limiter,
      concurrency: 5,
    });
    const done = new AbortController();
    worker.on('completed', () => {
      if (starts.length === 12) done.abort();
    });
    while (starts.length < 12) {
      const claim = await clients.replica.attempts.claim(
        clients.name,
        claimOf({ ...claimRequest, limiter }),
      );
      if (claim.kind === 'attempt') {
        starts.push(Date.now());
        await clients.replica.attempts.settle(clients.name, claim.attempt, {
          kind: 'completed',
          returnvalue: 1,
        });
      } else {
        const until = claim.kind === 'limited' ? claim.until : Date.now() + HOUR;
        await clients.replica.attempts.waitForJobs(clients.name, until, done.signal);
      }
    }
    // The native worker counts in fixed windows: no more than twice the number in any.
    starts.sort((a, b) => a - b);
    expect(starts[7]! - starts[0]!).to.be.above(1000);
    expect(starts[11]! - starts[0]!).to.be.above(2000);
  });

  // holds: service.native-library
  it('processes here what a native producer adds, and the native client sees the end', async () => {
    const native = clients.queue();
    const added = await native.addBulk([
      { name: 'good', data: { n: 1 }, opts: { removeOnFail: true } },
      { name: 'bad', data: { n: 2 }, opts: { attempts: 2, backoff: { type: 'fixed', delay: 0 } } },
      { name: 'gone', data: { n: 3 }, opts: { removeOnComplete: true } },
    ]);
    let claim = await clients.replica.attempts.claim(clients.name, claimOf(claimRequest));
    const names: string[] = [];
    while (claim.kind === 'attempt') {
      const { attempt } = claim;
      names.push(attempt.job.name);
      const ending =
        attempt.job.name !== 'bad'
          ? ({ kind: 'completed', returnvalue: { ok: true } } as const)
          : attempt.job.attemptsMade === 0
            ? ({ kind: 'retry', reason: 'first', delay: 0 } as const)
            : ({ kind: 'failed', reason: 'second' } as const);
      await clients.replica.attempts.settle(clients.name, attempt, ending);
      claim = await clients.replica.attempts.claim(clients.name, claimOf(claimRequest));
    }
    expect(names).to.deep.equal(['good', 'bad', 'gone', 'bad']);
    const good = await native.getJob(added[0]!.id!);
    expect(good?.returnvalue).to.deep.equal({ ok: true });
    expect(await good?.getState()).to.equal('completed');
    const bad = await native.getJob(added[1]!.id!);
    expect(bad?.failedReason).to.equal('second');
    expect(bad?.stacktrace).to.deep.equal(['first', 'second']);
    expect(bad?.attemptsMade).to.equal(2);
    expect(await bad?.getState()).to.equal('failed');
    expect(await native.getJob(added[2]!.id!)).to.equal(undefined);
  });

  // holds: names.native-clients
  it('writes the events that QueueEvents reports', async () => {
    const fromTheFirst = { lastEventId: '0' };
    const events = clients.events(clients.name, fromTheFirst);
    await events.waitUntilReady();
    const seen: string[] = [];
    const names = [
      'added',
      'waiting',
      'active',
      'progress',
      'delayed',
      'completed',
      'failed',
    ] as const;
    for (const name of names) {
      events.on(name, ({ jobId }: { jobId: string }) => seen.push(`${name} ${jobId}`));
    }
    const drained = once(events, 'drained');
    await clients.replica.queues.add(clients.name, [
      newJob({ name: 'a', data: 1, opts: { jobId: 'a' } }, ''),
      newJob({ name: 'b', data: 1, opts: { jobId: 'b', attempts: 2 } }, ''),
    ]);
    let claim = await clients.replica.attempts.claim(clients.name, claimOf(claimRequest));
    if (claim.kind !== 'attempt') throw new Error('Nothing was claimed');
    await clients.replica.attempts.reportProgress(
      clients.name,
      { jobId: 'a', token: claim.attempt.token },
      50,
    );
    const ending = { kind: 'completed', returnvalue: null } as const;
    claim = (
      await clients.replica.attempts.settle(
        clients.name,
        claim.attempt,
        ending,
        claimOf(claimRequest),
      )
    ).next!;
    if (claim.kind !== 'attempt') throw new Error('Nothing was claimed');
    const retry = { kind: 'retry', reason: 'no', delay: 1 } as const;
    await clients.replica.attempts.settle(clients.name, claim.attempt, retry);
    while (
      (claim = await clients.replica.attempts.claim(clients.name, claimOf(claimRequest))).kind !==
      'attempt'
    ) {
      await clients.replica.attempts.waitForJobs(
        clients.name,
        Date.now() + 20,
        new AbortController().signal,
      );
    }
    await clients.replica.attempts.settle(clients.name, claim.attempt, {
      kind: 'failed',
      reason: 'no',
    });
    await drained;
    expect(seen).to.deep.equal([
      'added a',
      'waiting a',
      'added b',
      'waiting b',
      'active a',
      'progress a',
      'completed a',
      'active b',
      'delayed b',
      'waiting b',
      'active b',
      'failed b',
    ]);
  });

  // holds: payloads.events
  it('removes values from kept events, and QueueEvents reads on', async () => {
    const { queues, attempts, redaction } = clients.replica;
    await queues.add(clients.name, [newJob({ name: 'a', data: 1 }, '')]);
    const attempt = await take(attempts, clients.name);
    await attempts.reportProgress(clients.name, attempt, 'half');
    await attempts.settle(clients.name, attempt, { kind: 'completed', returnvalue: 'whole' });
    await redaction.redactBeyond([{ queue: clients.name, keep: 0 }]);
    const events = clients.events(clients.name, { lastEventId: '0' });
    const seen: unknown[] = [];
    events.on('progress', ({ jobId, data }) => seen.push([jobId, data]));
    events.on('completed', ({ jobId, returnvalue }) => seen.push([jobId, returnvalue]));
    const added = once(events, 'delayed');
    await events.waitUntilReady();
    await queues.add(clients.name, [newJob({ name: 'a', data: 1, opts: { delay: HOUR } }, '')]);
    await added;
    expect(seen).to.deep.equal([
      [attempt.jobId, null],
      [attempt.jobId, null],
    ]);
  });

  // holds: bounds.events
  it('writes no long value into the events, and QueueEvents goes on', async () => {
    const fromTheFirst = { lastEventId: '0' };
    const events = clients.events(clients.name, fromTheFirst);
    await events.waitUntilReady();
    const seen: unknown[] = [];
    events.on('progress', ({ data }) => seen.push(data));
    events.on('completed', ({ returnvalue }) => seen.push(returnvalue));
    events.on('failed', ({ failedReason }) => seen.push(failedReason));
    const failed = once(events, 'failed');
    const [short, long] = ['x'.repeat(1022), '€'.repeat(1000)];
    const endings: AttemptEnding[] = [
      { kind: 'completed', returnvalue: short },
      { kind: 'completed', returnvalue: { long } },
      { kind: 'failed', reason: long },
    ];
    await clients.replica.queues.add(
      clients.name,
      endings.map(() => newJob({ name: 'a', data: 1 }, '')),
    );
    for (const ending of endings) {
      const claim = await clients.replica.attempts.claim(clients.name, claimOf(claimRequest));
      if (claim.kind !== 'attempt') throw new Error('Nothing was claimed');
      const { job, token } = claim.attempt;
      await clients.replica.attempts.reportProgress(clients.name, { jobId: job.id, token: token }, [
        long,
      ]);
      await clients.replica.attempts.reportProgress(
        clients.name,
        { jobId: job.id, token: token },
        short,
      );
      await clients.replica.attempts.settle(clients.name, claim.attempt, ending);
      const kept = await clients.replica.queues.find(clients.name, job.id);
      if (ending.kind === 'completed') expect(kept?.returnvalue).to.deep.equal(ending.returnvalue);
      else expect(kept?.failedReason).to.equal(long);
    }
    await failed;
    const expected = [short, null, '€'.repeat(341)];
    expect(seen).to.deep.equal(expected.flatMap((ending) => [null, short, ending]));
  });

  for (const [keepLogs, kept] of [
    [2, 2],
    [1500, 1010],
    [2.5, 2],
    [1e300, 1010],
    [0, 1000],
    [-1, 1000],
    [{}, 1000],
  ] as const) {
    // holds: bounds.log-lines
    it(`keeps of 1010 log lines ${kept} when a native producer asks for ${JSON.stringify(keepLogs)}`, async () => {
      const { id = '' } = await clients.queue().add('a', 1, { keepLogs: keepLogs as number });
      const claim = await clients.replica.attempts.claim(clients.name, claimOf(claimRequest));
      if (claim.kind !== 'attempt') throw new Error('Nothing was claimed');
      const { token } = claim.attempt;
      const lines = Array.from({ length: 1010 }, (_, index) => String(index));
      await Promise.all(
        lines.map((line) =>
          clients.replica.attempts.addLog(clients.name, { jobId: id, token: token }, line),
        ),
      );
      const { logs } = (await logsOf(clients.replica.queues, clients.name, id, 0, 2000))!;
      expect(logs).to.deep.equal(lines.slice(-kept));
    });
  }

  // holds: names.native-clients
  it('counts what a native client counts', async () => {
    await clients.replica.queues.add(clients.name, [
      newJob({ name: 'a', data: 1 }, ''),
      newJob({ name: 'b', data: 1, opts: { priority: 1 } }, ''),
      newJob({ name: 'c', data: 1, opts: { delay: 60_000 } }, ''),
    ]);
    const { counts } = await clients.replica.queues.list(clients.name, {
      statuses: [],
      start: 0,
      length: 0,
    });
    const native = await clients
      .queue()

      .getJobCounts(...JOB_STATES);
    expect(native).to.deep.equal(counts);
  });

  it('keeps the job scheduler of a native producer going', async () => {
    const native = clients.queue();
    await native.upsertJobScheduler('ticks', { every: 50, limit: 3 }, { name: 'tick', data: 7 });
    const seen: unknown[] = [];
    while (seen.length < 3) {
      const claim = await clients.replica.attempts.claim(clients.name, claimOf(claimRequest));
      if (claim.kind === 'attempt') {
        seen.push(claim.attempt.job.data);
        const ending = { kind: 'completed', returnvalue: null } as const;
        await clients.replica.attempts.settle(clients.name, claim.attempt, ending);
      } else {
        const until = Date.now() + 100;
        await clients.replica.attempts.waitForJobs(
          clients.name,
          until,
          new AbortController().signal,
        );
      }
    }
    expect(seen).to.deep.equal([7, 7, 7]);
    expect(await native.getJobCounts('waiting', 'delayed')).to.deep.equal({
      waiting: 0,
      delayed: 0,
    });
  });

  it('lets a parent job of a native flow start when its children are done here', async () => {
    const flows = clients.flows();
    const children = [1, 2].map((data) => ({ name: 'child', data, queueName: clients.name }));
    await flows.add({ name: 'parent', data: 0, queueName: clients.name, children });
    const names: string[] = [];
    let claim = await clients.replica.attempts.claim(clients.name, claimOf(claimRequest));
    while (claim.kind === 'attempt') {
      names.push(claim.attempt.job.name);
      const ending = { kind: 'completed', returnvalue: names.length } as const;
      const settled = await clients.replica.attempts.settle(
        clients.name,
        claim.attempt,
        ending,
        claimOf(claimRequest),
      );
      claim =
        settled.next ?? (await clients.replica.attempts.claim(clients.name, claimOf(claimRequest)));
    }
    expect(names).to.deep.equal(['child', 'child', 'parent']);
  });

  it('holds a job also when its only one waits for children in another queue', async () => {
    const flows = clients.flows();
    const children = [{ name: 'child', data: 1, queueName: `${clients.name}-children` }];
    const { job } = await flows.add({ name: 'parent', data: 0, queueName: clients.name, children });
    const query = { statuses: JOB_STATUSES, start: 0, length: 10 };
    const { counts, jobs } = await clients.replica.queues.list(clients.name, query);
    expect(counts).to.deep.equal({ ...NO_JOBS, 'waiting-children': 1 });
    expect(await collected(jobs)).to.deep.equal([]);
    expect(await clients.replica.queues.find(clients.name, job.id!)).to.include({ name: 'parent' });
    const none = await clients.replica.queues.list(queueNamed(`${clients.name}-none`), query);
    expect(none.counts).to.deep.equal(NO_JOBS);
  });

  // holds: job-token.random, attempts.native-tokens
  it('does not take the lock token of a native worker for a job token', async () => {
    const native = clients.queue();
    const { id } = await native.add('a', 1);
    const worker = clients.worker(clients.name, undefined);
    const job = await worker.getNextJob('worker-1:0');
    expect(job.id).to.equal(id);
    expect(
      await clients.replica.attempts.reportProgress(
        clients.name,
        { jobId: id!, token: 'worker-1:0' },
        1,
      ),
    ).to.equal(false);
    expect(
      await clients.replica.attempts.addLog(clients.name, { jobId: id!, token: 'worker-1:0' }, 'x'),
    ).to.equal(false);
  });

  it('reads jobs that other producers wrote in forms it does not know', async () => {
    const key = `bull:${clients.name}:odd`;
    await clients.commands.hset(key, {
      name: 'odd',
      timestamp: 'yesterday',
      data: '{broken',
      opts: '[1]',
      stacktrace: 'none',
    });
    const job = await clients.replica.queues.find(clients.name, 'odd');
    expect(job).to.deep.include({
      name: 'odd',
      data: '{broken',
      opts: { attempts: 0, delay: 0 },
      stacktrace: ['none'],
      timestamp: 0,
    });
    await clients.commands.rpush(`bull:${clients.name}:list`, 'no job');
    await clients.commands.lpush(`bull:${clients.name}:wait`, 'odd', 'none', 'list');
    const query = { statuses: ['waiting'] as const, start: 0, length: 10 };
    expect(await listPage(clients.replica.queues, clients.name, query)).to.have.deep.property(
      'jobs',
      [job],
    );
    expect(await clients.replica.queues.find(clients.name, 'odd:lock')).to.equal(undefined);
    await clients.commands.rpush(`${key}:logs`, 'line');
    expect(await clients.replica.queues.find(clients.name, 'odd:logs')).to.equal(undefined);
    expect(await clients.replica.queues.logs(clients.name, 'odd:logs', 0, 10)).to.equal(undefined);
  });
});
