import type { Job as NativeJob, Queue } from 'bullmq';
import { expect } from 'chai';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { JobStatus } from '../../../src/domain/jobs/job-status.ts';
import type { ActionOutcome } from '../../../src/domain/jobs/job-actions.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { placedJob } from '../../contracts/job-control/placed-job.ts';
import { ANY, claimOf, FAILED, read, take } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { describeBesideNative, type BesideNative } from '../../support/redis/beside-native.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { dump } from '../../support/redis/queue-dump.ts';
import type { RedisReplica } from '../../support/redis/redis-stores.ts';

const PREFIX = `actions-${process.pid}`;

interface Equivalence {
  readonly does: string;
  readonly state: JobStatus;
  readonly opts?: JobOptionsInput;
  readonly here: (replica: RedisReplica, queue: QueueName, id: string) => Promise<ActionOutcome>;
  readonly natively: (job: NativeJob) => Promise<unknown>;
}

const remove: Pick<Equivalence, 'here' | 'natively'> = {
  here: ({ jobControl }, queue, id) => jobControl.remove(queue, id),
  natively: (job) => job.remove(),
};
const promote: Pick<Equivalence, 'here' | 'natively'> = {
  here: ({ jobControl }, queue, id) => jobControl.promote(queue, id),
  natively: (job) => job.promote(),
};

const retry: Pick<Equivalence, 'here' | 'natively'> = {
  here: ({ jobControl }, queue, id) => jobControl.retry(queue, id, {}),
  natively: async (job) => {
    const state = await job.getState();
    await job.retry(state as 'failed' | 'completed', { resetAttemptsMade: true });
  },
};

const changePriority = (priority: number): Pick<Equivalence, 'here' | 'natively'> => ({
  here: ({ jobControl }, queue, id) => jobControl.change(queue, id, { priority }),
  natively: (job) => job.changePriority({ priority }),
});

const EQUIVALENCES: readonly Equivalence[] = [
  ...(['waiting', 'prioritized', 'delayed', 'completed', 'failed'] as const).map((state) => ({
    does: `removes a job that is ${state}`,
    state,
    ...remove,
  })),
  { does: 'raises a priority', state: 'prioritized', ...changePriority(1) },
  { does: 'takes a priority away', state: 'prioritized', ...changePriority(0) },
  { does: 'gives a priority', state: 'waiting', ...changePriority(8) },
  {
    does: 'changes the data of a job',
    state: 'delayed',
    here: ({ jobControl }, queue, id) => jobControl.change(queue, id, { data: { a: [1] } }),
    natively: (job) => job.updateData({ a: [1] }),
  },
  { does: 'promotes a job', state: 'delayed', ...promote },
  { does: 'promotes a prioritized job', state: 'delayed', opts: { priority: 7 }, ...promote },
  ...(['completed', 'failed'] as const).flatMap((state) => [
    { does: `retries a job that ${state}`, state, ...retry },
    { does: `retries a prioritized job that ${state}`, state, opts: { priority: 7 }, ...retry },
    { does: `retries a last in job that ${state}`, state, opts: { lifo: true }, ...retry },
  ]),
];

const clock = new FakeClock(Date.now());
const settings = { prefix: PREFIX, clock };

describeBesideNative('actions on jobs beside native BullMQ clients', actions, settings);

function actions(clients: BesideNative): void {
  let count = 0;

  function newQueue(): { readonly name: QueueName; readonly native: Queue } {
    count += 1;
    const name = queueNamed(`queue-${count}`);
    const native = clients.queue(name, { skipMetasUpdate: true });
    native.on('error', () => undefined);
    return { name, native };
  }

  const dumped = (queue: QueueName): Promise<Record<string, unknown>> =>
    dump(clients.commands, `${PREFIX}:${queue}`);

  async function nativeJob(queue: Queue, id: string): Promise<NativeJob> {
    const job = (await queue.getJob(id)) as NativeJob | undefined;
    if (job === undefined) throw new Error(`Job ${id} is gone`);
    return job;
  }

  for (const isPaused of [false, true]) {
    for (const { does, state, opts, here, natively } of EQUIVALENCES) {
      // holds: actions.native
      it(`${does} as the library does${isPaused ? ', in a paused queue' : ''}`, async () => {
        const one = newQueue();
        const other = newQueue();
        for (const { name } of [one, other]) {
          const id = await placedJob(clients.replica, name, state, opts);
          expect(id).to.equal('1');
          // What was added may have left a marker.
          await clients.commands.del(`${PREFIX}:${name}:marker`);
        }
        if (isPaused) await Promise.all([one.native.pause(), other.native.pause()]);
        expect(await here(clients.replica, one.name, '1')).to.deep.equal({ kind: 'done' });
        await natively(await nativeJob(other.native, '1'));
        const left = await dumped(one.name);
        expect(left).to.deep.equal(await dumped(other.name));
        if (isPaused) expect(left).not.to.have.property('marker');
      });
    }
  }

  it('acts on jobs that native clients added', async () => {
    const { name, native } = newQueue();
    const delayed = await native.add('job', 1, { delay: 60_000 });
    expect(await clients.replica.jobControl.promote(name, delayed.id!)).to.deep.equal({
      kind: 'done',
    });
    expect(await delayed.getState()).to.equal('waiting');
    expect(await clients.replica.jobControl.remove(name, delayed.id!)).to.deep.equal({
      kind: 'done',
    });
    expect(await native.getJob(delayed.id!)).to.equal(undefined);
  });

  it('finds the job that native clients acted on as they left it', async () => {
    const { name, native } = newQueue();
    const id = await placedJob(clients.replica, name, 'delayed');
    await (await nativeJob(native, id)).promote();
    const refused = { kind: 'refused', state: 'waiting' };
    expect(await clients.replica.jobControl.promote(name, id)).to.deep.equal(refused);
    await (await nativeJob(native, id)).remove();
    expect(await clients.replica.jobControl.remove(name, id)).to.deep.equal({ kind: 'missing' });
  });

  it('removes a parent with its children, and lets a parent start without its last child', async () => {
    const { name, native } = newQueue();
    const child = (data: string) => ({ name: 'child', queueName: name, data });
    const flows = clients.flows();
    const removed = await flows.add({
      ...child('parent'),
      children: [child('first'), child('second')],
    });
    const promoting = await clients.replica.jobControl.promote(name, removed.job.id!);
    expect(promoting).to.deep.equal({ kind: 'refused', state: 'waiting-children' });
    await clients.replica.jobControl.remove(name, removed.job.id!);
    expect(await native.getJobCountByTypes('waiting', 'waiting-children')).to.equal(0);

    const kept = await flows.add({ ...child('parent'), children: [child('only')] });
    await clients.replica.jobControl.remove(name, kept.children![0]!.job.id!);
    expect(await kept.job.getState()).to.equal('waiting');
  });

  it('keeps a parent whose child is active, and everything of it', async () => {
    const { name } = newQueue();
    const parts = { name: 'part', queueName: name, data: 1 };
    const { job } = await clients.flows().add({ ...parts, children: [parts, parts] });
    await take(clients.replica.attempts, name);
    const before = await dumped(name);
    expect(await clients.replica.jobControl.remove(name, job.id!)).to.deep.equal({
      kind: 'needed',
      by: 'attempt',
    });
    expect(await dumped(name)).to.deep.equal(before);
  });

  it('takes a job that a native client retried, with no attempt made', async () => {
    const { name, native } = newQueue();
    const id = await placedJob(clients.replica, name, 'failed');
    await (await nativeJob(native, id)).retry('failed', { resetAttemptsMade: true });
    const refused = { kind: 'refused', state: 'waiting' };
    expect(await clients.replica.jobControl.retry(name, id, {})).to.deep.equal(refused);
    const { job } = await take(clients.replica.attempts, name);
    expect(job).to.include({ id, attemptsMade: 0, attemptsStarted: 2 });
    expect(job).not.to.have.property('failedReason');
  });

  it('shows the priority that a native client changed', async () => {
    const { name, native } = newQueue();
    const id = await placedJob(clients.replica, name, 'prioritized');
    await (await nativeJob(native, id)).changePriority({ priority: 2 });
    expect((await read(clients.replica.queues, name, id)).opts.priority).to.equal(2);
  });

  it('changes a delay as the library does', async () => {
    const one = newQueue();
    const other = newQueue();
    for (const { name } of [one, other]) await placedJob(clients.replica, name, 'delayed');
    const delay = 7000;
    const before = Date.now();
    await (await nativeJob(other.native, '1')).changeDelay(delay);
    const dueAt = (await clients.commands.zscore(`${PREFIX}:${other.name}:delayed`, '1'))!;
    const changedAt = Number(dueAt) / 0x1000 - delay;
    expect(changedAt).to.be.within(before, Date.now());
    await clock.advance(changedAt - clock.now());
    await clients.replica.jobControl.change(one.name, '1', { delay });
    expect(await dumped(one.name)).to.deep.equal(await dumped(other.name));
  });

  // holds: actions.native
  it('retries a child that failed as one of those that its parent waits for', async () => {
    const { name } = newQueue();
    const parts = { name: 'part', queueName: name, data: 1 };
    const opts = { ignoreDependencyOnFailure: true };
    const flow = await clients.flows().add({ ...parts, children: [{ ...parts, opts }, parts] });
    const failing = flow.children![0]!.job;
    const [one, other] = [
      await take(clients.replica.attempts, name),
      await take(clients.replica.attempts, name),
    ];
    const failed = one.jobId === failing.id ? one : other;
    await clients.replica.attempts.settle(name, failed, { kind: 'failed', reason: 'no' });
    expect((await flow.job.getDependenciesCount()).unprocessed).to.equal(1);
    await clients.replica.jobControl.retry(name, failing.id!, {});
    expect((await flow.job.getDependenciesCount()).unprocessed).to.equal(2);
  });

  it('keeps options of native jobs that a retry does not change', async () => {
    const { name, native } = newQueue();
    const opts = { keepLogs: 5, removeOnFail: false, sizeLimit: 1000, deduplication: { id: 'x' } };
    const { id } = await native.add('job', 1, opts);
    await clients.replica.attempts.settle(name, await take(clients.replica.attempts, name), FAILED);
    await clients.replica.jobControl.retry(name, id!, { opts: { attempts: 4 }, data: { a: 2 } });
    const job = await nativeJob(native, id!);
    expect(job.opts).to.deep.include({ ...opts, attempts: 4 });
    expect(job.data).to.deep.equal({ a: 2 });
    expect(await job.getState()).to.equal('waiting');
  });

  it('keeps the next job of a scheduler', async () => {
    const { name, native } = newQueue();
    const job = await native.upsertJobScheduler('tick', { every: 60_000, offset: 30_000 });
    const next = await clients.replica.jobControl.remove(name, job.id!);
    expect(next).to.deep.equal({ kind: 'needed', by: 'scheduler' });
    expect(await native.getJob(job.id!)).not.to.equal(undefined);
  });

  it('ends the deduplication of a job that is removed', async () => {
    const { name, native } = newQueue();
    const deduplication = { id: 'once' };
    const first = await native.add('job', 1, { deduplication, delay: 60_000 });
    await clients.replica.jobControl.remove(name, first.id!);
    const second = await native.add('job', 2, { deduplication });
    expect(second.id).not.to.equal(first.id);
    expect((await clients.replica.attempts.claim(name, claimOf(ANY))).kind).to.equal('attempt');
  });
}
