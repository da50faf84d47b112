import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Job } from 'bullmq';
import { expect } from 'chai';
import { flowJobShape, newFlow } from '../../../src/domain/flows/flow.ts';
import { queueName, type QueueName } from '../../../src/domain/queues/queue-name.ts';
import {
  ANY,
  claimOf,
  COMPLETED,
  process,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { collected } from '../../support/collected.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';

const shape = flowJobShape(queueName({ min: 1, max: 100 }));

describeBesideNative('flows beside native BullMQ clients', (clients) => {
  let above: QueueName;
  let below: QueueName;

  beforeEach(() => {
    above = uniqueQueue();
    below = uniqueQueue();
  });

  async function addHere(): Promise<string> {
    const child = { queue: below, name: 'part', data: 1 };
    const children = [child, { ...child, onChildFailure: 'ignore' as const }];
    const input = { queue: above, name: 'report', data: 2, children };
    const [parent] = newFlow(input, shape, () => undefined, randomUUID());
    const jobs = newFlow(input, shape, () => undefined, parent!.id);
    expect(await clients.replica.flows.add(jobs, () => undefined)).to.include({ kind: 'added' });
    return parent!.id;
  }

  // holds: flows.native
  it('are read by a native flow producer', async () => {
    const id = await addHere();
    const tree = await clients.flows().getFlow({ queueName: above, id });
    expect(tree.job).to.deep.include({ id, name: 'report', data: 2 });
    expect(tree.children).to.have.lengthOf(2);
    const [child] = tree.children!;
    expect(child!.job).to.deep.include({ name: 'part', data: 1 });
    expect(child!.job.parent).to.include({ id, queueKey: `bull:${above}` });
    expect(await tree.job.getDependenciesCount()).to.deep.include({ unprocessed: 2 });
    expect(await tree.job.getState()).to.equal('waiting-children');
  });

  // holds: flows.native
  it('run on native workers, and pass their results to an endpoint', async () => {
    const id = await addHere();
    const events = clients.events(above);
    await events.waitUntilReady();
    const started = new Promise((resolve) => events.once('waiting', resolve));
    let count = 0;
    clients.worker(below, () => {
      count += 1;
      if (count === 2) throw new Error('No costs');
      return Promise.resolve({ sum: 9 });
    });
    await started;
    const { jobId, children } = await take(clients.replica.attempts, above);
    expect(jobId).to.equal(id);
    expect(children!.map(({ state }) => state).sort()).to.deep.equal(['completed', 'failed']);
    expect(children!.find(({ state }) => state === 'completed')).to.deep.include({
      returnvalue: { sum: 9 },
    });
  });

  // holds: flows.native
  it('of native producers are passed to an endpoint, and shown', async () => {
    const { job, children } = await clients.flows().add({
      name: 'report',
      queueName: above,
      data: {},
      children: [
        { name: 'part', queueName: below, data: 1 },
        { name: 'part', queueName: below, data: 2, opts: { failParentOnFailure: true } },
      ],
    });
    const { attempts, flows } = clients.replica;
    await process(attempts, below, { kind: 'completed', returnvalue: 'done' });
    const states = (await collected(flows.children(above, job.id!)))
      .map(({ state }) => state)
      .sort();
    expect(states).to.deep.equal(['completed', 'waiting']);
    await process(attempts, below, COMPLETED);
    const { children: taken } = await take(attempts, above);
    expect(taken).to.have.lengthOf(2);
    expect(taken!.map(({ id }) => id)).to.have.members(children!.map((child) => child.job.id));
  });

  // holds: flows.native
  it('of native producers fail with their children', async () => {
    const { job } = await clients.flows().add({
      name: 'report',
      queueName: above,
      data: {},
      children: [{ name: 'part', queueName: below, data: 1, opts: { failParentOnFailure: true } }],
    });
    const { attempts } = clients.replica;
    await process(attempts, below, { kind: 'failed', reason: 'it broke' });
    const claim = await attempts.claim(above, claimOf(ANY));
    expect(claim).to.have.nested.property('attempt.jobId', job.id);
    expect(claim)
      .to.have.nested.property('attempt.mustFail')
      .that.matches(/^child .* failed$/);
  });

  /** Completes the job that comes next with what a worker makes of it, on a native worker. */
  async function runNatively(queue: QueueName, work: (job: Job) => unknown): Promise<Job> {
    const worker = clients.worker(queue, (job) => Promise.resolve(work(job)));
    const [job] = (await once(worker, 'completed')) as [Job];
    await worker.close();
    return job;
  }

  // holds: flows.native
  it('show native readers what became of children that ran here', async () => {
    const id = await addHere();
    const { attempts } = clients.replica;
    await process(attempts, below, { kind: 'completed', returnvalue: { sum: 9 } });
    await process(attempts, below, { kind: 'failed', reason: 'No costs' });
    const tree = await clients.flows().getFlow({ queueName: above, id });
    const values = { [`bull:${below}:${id}-1`]: { sum: 9 } };
    expect(await tree.job.getChildrenValues()).to.deep.equal(values);
    expect(await tree.job.getIgnoredChildrenFailures()).to.deep.equal({
      [`bull:${below}:${id}-2`]: 'No costs',
    });
    expect(await tree.job.getState()).to.equal('waiting');
    const states = await Promise.all(tree.children!.map(({ job }) => job.getState()));
    expect(states.sort()).to.deep.equal(['completed', 'failed']);
  });

  // holds: flows.native
  it('start their parent on a native worker, which reads what children returned here', async () => {
    const id = await addHere();
    const { attempts, queues } = clients.replica;
    await process(attempts, below, { kind: 'completed', returnvalue: 1 });
    await process(attempts, below, { kind: 'completed', returnvalue: 2 });
    const job = await runNatively(above, async (each) => each.getChildrenValues());
    expect(job.id).to.equal(id);
    expect(await queues.find(above, id)).to.deep.include({
      state: 'completed',
      returnvalue: { [`bull:${below}:${id}-1`]: 1, [`bull:${below}:${id}-2`]: 2 },
    });
  });

  // holds: flows.native, flows.cancel-retry
  it('are seen to wait by native clients after a parent was cancelled and retried here', async () => {
    const id = await addHere();
    const { attempts, jobControl } = clients.replica;
    await process(attempts, below, COMPLETED);
    await jobControl.cancel(above, id, { reason: 'Too early' });
    await jobControl.retry(above, id, {});
    const job = (await clients.queue(above).getJob(id))!;
    expect(await job.getState()).to.equal('waiting-children');
    expect(await clients.queue(above).getWaitingChildrenCount()).to.equal(1);
    await runNatively(below, () => 'last');
    const { children } = await take(attempts, above);
    expect(children!.map(({ returnvalue }) => returnvalue)).to.deep.equal([null, 'last']);
    expect(await clients.queue(above).getWaitingChildrenCount()).to.equal(0);
  });

  // holds: flows.native, flows.retry
  it('let a parent go on whose failed child a native client retries', async () => {
    const id = await addHere();
    const { attempts, queues } = clients.replica;
    const first = await process(attempts, below, { kind: 'failed', reason: 'not yet' });
    await process(attempts, below, COMPLETED);
    expect((await queues.find(above, id))?.state).to.equal('waiting-children');
    await (await clients.queue(below).getJob(first))!.retry();
    await process(attempts, below, { kind: 'completed', returnvalue: 'now' });
    const { children } = await take(attempts, above);
    expect(children!.map(({ returnvalue }) => returnvalue)).to.deep.equal(['now', null]);
  });

  // holds: flows.native, flows.gone
  it('let a parent start whose children a native client removes', async () => {
    const id = await addHere();
    const native = clients.queue(below);
    await (await native.getJob(`${id}-1`))!.remove();
    await native.drain();
    const { jobId, children } = await take(clients.replica.attempts, above);
    expect([jobId, children ?? []]).to.deep.equal([id, []]);
  });
});
