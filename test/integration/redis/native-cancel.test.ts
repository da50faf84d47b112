import { once } from 'node:events';
import { expect } from 'chai';
import { describeBesideNative } from '../../support/redis/beside-native.ts';
import {
  ANY,
  claimOf,
  COMPLETED,
  process as processNext,
  read,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';

const REASON = 'ordered twice';
const DONE = { kind: 'done' };

describeBesideNative('cancelling jobs of native BullMQ clients', (native) => {
  // holds: cancel.native
  it('takes a job from a native worker, which finds its lock missing', async () => {
    const name = uniqueQueue();
    const { jobControl, queues } = native.replica;
    const queue = native.queue(name);
    const { id } = await queue.add('job', 1, { attempts: 3 });
    let finish = (): void => undefined;
    const worker = native.worker(name, () => new Promise<void>((resolve) => (finish = resolve)));
    const errors: Error[] = [];
    worker.on('error', (error) => errors.push(error));
    await once(worker, 'active');
    expect(await jobControl.cancel(name, id!, { reason: REASON })).to.deep.equal(DONE);
    const refused = once(worker, 'error');
    finish();
    await refused;
    expect(errors[0]!.message).to.contain('Missing lock');
    const job = await read(queues, name, id!);
    expect(job).to.include({ state: 'failed', failedReason: REASON, attemptsMade: 1 });
    const seen = (await queue.getJob(id!))!;
    expect(await seen.getState()).to.equal('failed');
    expect(await queue.getJobCounts('active', 'waiting', 'failed')).to.deep.equal({
      active: 0,
      waiting: 0,
      failed: 1,
    });
  });

  // holds: cancel.native
  it('reports to native listeners what failed, and in which state it was', async () => {
    const name = uniqueQueue();
    const queue = native.queue(name);
    const { id } = await queue.add('job', 1, { delay: 60_000 });
    await native.replica.jobControl.cancel(name, id!, { reason: REASON });
    const events = await native.commands.xrange(`bull:${name}:events`, '-', '+');
    const failed = events.map(([, fields]) => fields).find((fields) => fields.includes('failed'));
    expect(failed).to.deep.equal([
      ...['event', 'failed', 'jobId', id, 'failedReason', REASON, 'prev', 'delayed'],
    ]);
    expect(events.flatMap(([, fields]) => fields)).not.to.include('retries-exhausted');
  });

  // holds: cancel.waiting-children
  it('fails a job that waits for its children, which go on', async () => {
    const name = uniqueQueue();
    const { jobControl, queues, attempts } = native.replica;
    const part = { name: 'part', queueName: name, data: 1 };
    const flow = await native.flows().add({ ...part, children: [part, part] });
    const id = flow.job.id!;
    expect(await jobControl.cancel(name, id, { reason: REASON })).to.deep.equal(DONE);
    expect(await read(queues, name, id)).to.include({ state: 'failed', failedReason: REASON });
    await processNext(attempts, name, COMPLETED);
    await processNext(attempts, name, COMPLETED);
    expect((await attempts.claim(name, claimOf(ANY))).kind).to.equal('idle');
    expect((await read(queues, name, id)).state).to.equal('failed');
  });

  for (const [opts, state, mustFail] of [
    [{ failParentOnFailure: true }, 'waiting', true],
    [{ ignoreDependencyOnFailure: true }, 'waiting', false],
    [{ continueParentOnFailure: true }, 'waiting', false],
    [{}, 'waiting-children', false],
  ] as const) {
    // holds: cancel.waiting-children
    it(`means to a parent what a failed child does: ${JSON.stringify(opts)}`, async () => {
      const name = uniqueQueue();
      const { jobControl, queues, attempts } = native.replica;
      const part = { name: 'part', queueName: name, data: 1 };
      const flow = await native.flows().add({ ...part, children: [{ ...part, opts }] });
      const [child] = flow.children!;
      await jobControl.cancel(name, child!.job.id!, { reason: REASON });
      expect(await read(queues, name, flow.job.id!)).to.include({ state });
      if (state !== 'waiting') return;
      const parent = await take(attempts, name);
      expect(parent.mustFail !== undefined).to.equal(mustFail);
    });
  }

  // holds: cancel.deduplication
  it('ends the deduplication of a job, as when it fails', async () => {
    const name = uniqueQueue();
    const queue = native.queue(name);
    const deduplication = { id: 'once' };
    const first = await queue.add('job', 1, { deduplication, delay: 60_000 });
    await native.replica.jobControl.cancel(name, first.id!, { reason: REASON });
    const second = await queue.add('job', 2, { deduplication });
    expect(second.id).not.to.equal(first.id);
  });

  // holds: cancel.deduplication
  it('adds what was kept for the end of an active job', async () => {
    const name = uniqueQueue();
    const queue = native.queue(name);
    const { attempts, jobControl } = native.replica;
    const deduplication = { id: 'last', keepLastIfActive: true };
    const first = await queue.add('job', 1, { deduplication });
    await take(attempts, name);
    await queue.add('job', 2, { deduplication });
    await jobControl.cancel(name, first.id!, { reason: REASON });
    expect((await take(attempts, name)).job.data).to.equal(2);
  });

  for (const schedule of [{ every: 3_600_000 }, { pattern: '0 0 3 * * *' }]) {
    // holds: cancel.schedulers
    it(`keeps a scheduler going whose next job is cancelled: ${JSON.stringify(schedule)}`, async () => {
      const name = uniqueQueue();
      const queue = native.queue(name);
      const { jobControl, queues } = native.replica;
      await queue.upsertJobScheduler('tick', schedule, { name: 'job', data: { a: 1 } });
      const [next] = await queue.getJobs(['delayed', 'waiting']);
      expect(await jobControl.cancel(name, next!.id!, { reason: REASON })).to.deep.equal(DONE);
      expect((await read(queues, name, next!.id!)).state).to.equal('failed');
      const [following, ...others] = await queue.getJobs(['delayed', 'waiting']);
      expect(others).to.deep.equal([]);
      expect(following!.data).to.deep.equal({ a: 1 });
      expect(following!.id).not.to.equal(next!.id);
      const scheduler = (await queue.getJobScheduler('tick'))!;
      expect(following!.id).to.equal(`repeat:tick:${scheduler.next}`);
      await queue.removeJobScheduler('tick');
    });
  }

  it('cancels a job that an older BullMQ put aside when it paused the queue', async () => {
    const name = uniqueQueue();
    const queue = native.queue(name);
    const { id } = await queue.add('job', 1);
    await native.commands.rename(`bull:${name}:wait`, `bull:${name}:paused`);
    await native.replica.jobControl.cancel(name, id!, { reason: REASON });
    expect(await native.commands.llen(`bull:${name}:paused`)).to.equal(0);
    expect(await queue.getJobCountByTypes('failed')).to.equal(1);
  });

  // holds: cancel.retention
  it('keeps of a job what the job says itself', async () => {
    const name = uniqueQueue();
    const queue = native.queue(name);
    const { jobControl, queues } = native.replica;
    const gone = await queue.add('job', 1, { removeOnFail: true });
    const kept = await queue.add('job', 1, { removeOnFail: false });
    for (const { id } of [gone, kept]) {
      await jobControl.cancel(name, id!, { reason: REASON, keep: { count: 0 } });
    }
    expect(await queues.find(name, gone.id!)).to.equal(undefined);
    expect((await read(queues, name, kept.id!)).state).to.equal('failed');
    const keys = await native.commands.keys(`bull:${name}:${gone.id}*`);
    expect(keys).to.deep.equal([]);
  });
});
