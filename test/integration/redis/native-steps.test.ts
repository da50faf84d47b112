import { once } from 'node:events';
import type { Job } from 'bullmq';
import { expect } from 'chai';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { SuspensionRequest } from '../../../src/domain/steps/suspension-request.ts';
import { addOne, ANY, HOUR, jobOf, take } from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';
import { describeBesideNative, type BesideNative } from '../../support/redis/beside-native.ts';

const TERMS = { ...ANY, wantsSteps: true };
const WAIT = { signals: [{ name: 'paid', key: 'paid:17' }] };
const REST = { sleeps: [{ name: 'rest', duration: HOUR }] };

describeBesideNative('suspended jobs beside native BullMQ clients', suspended);

function suspended(clients: BesideNative): void {
  const suspend = async (request: Partial<SuspensionRequest>, data = 'mine'): Promise<Attempt> => {
    const { queues, attempts } = clients.replica;
    await addOne(queues, clients.name, {}, data);
    const attempt = await take(attempts, clients.name, TERMS);
    const nothing = { steps: [], sleeps: [], signals: [], added: [], maxWaiting: new Map() };
    const whole = { ...nothing, id: attempt.token, ...request };
    await attempts.settle(clients.name, attempt, {
      kind: 'suspended',
      request: whole,
      call: { outcome: 'suspended' },
    });
    return attempt;
  };
  const native = async (id: string): Promise<Job> => {
    const job = (await clients.queue().getJob(id)) as Job | undefined;
    if (job === undefined) throw new Error(`Job ${id} is gone`);
    return job;
  };
  const next = (): Promise<Attempt> => take(clients.replica.attempts, clients.name, TERMS);
  const keys = (): Promise<string[]> => clients.commands.keys(`bull:${clients.name}:*`);

  // holds: steps.native
  it('are delayed jobs for them, with their data as it is', async () => {
    const { jobId } = await suspend(WAIT);
    const job = await native(jobId);
    expect(await job.getState()).to.equal('delayed');
    expect(job.data).to.equal('mine');
    expect(await clients.queue().getJobCounts('delayed', 'active', 'waiting')).to.deep.equal({
      delayed: 1,
      active: 0,
      waiting: 0,
    });
  });

  // holds: steps.native
  it('go on when they promote them, as at the ends of their waits', async () => {
    const { jobId } = await suspend(WAIT);
    await (await native(jobId)).promote();
    const again = await next();
    expect(again.isWake).to.equal(true);
    expect(again.steps).to.deep.equal([{ name: 'paid', value: 'null' }]);
    expect(await clients.replica.jobSignals.send(clients.name, 'paid:17', '1', 0)).to.include({
      woken: 0,
    });
  });

  // holds: steps.native
  it('are found by no signal after they removed them', async () => {
    const { jobId } = await suspend({ steps: [{ name: 'one', value: '1' }], ...WAIT });
    await (await native(jobId)).remove();
    const { jobSignals, queueControl } = clients.replica;
    const page = { start: 0, length: 1 };
    expect(await jobSignals.list(clients.name, page)).to.deep.equal({ total: 0, signals: [] });
    expect(await jobSignals.send(clients.name, 'paid:17', '1', 0)).to.include({
      woken: 0,
    });
    await queueControl.remove(clients.name, false);
    expect(await keys()).to.deep.equal([]);
  });

  // holds: steps.native
  it('are taken by their workers when they are due, and may be retried here', async () => {
    const attempt = await suspend(REST);
    await (await native(attempt.jobId)).changeDelay(1);
    const taken: unknown[] = [];
    const worker = clients.worker<unknown, string>(clients.name, (job) => {
      taken.push(job.data);
      return Promise.resolve('done');
    });
    await once(worker, 'completed');
    await worker.close();
    expect(taken).to.deep.equal(['mine']);
    await clients.replica.jobControl.retry(clients.name, attempt.jobId, {});
    const again = await next();
    expect([again.isWake, again.steps]).to.deep.equal([undefined, undefined]);
  });

  // holds: steps.native
  it('are parents for them that wait for the jobs that they added', async () => {
    const parts = clients.queue(`${clients.name}-parts`).name as typeof clients.name;
    const jobs = [jobOf(), jobOf()].map((job) => ({ queue: parts, job }));
    const { jobId } = await suspend({ added: [{ name: 'ship', jobs }] });
    const parent = await native(jobId);
    expect(await parent.getState()).to.equal('waiting-children');
    expect((await parent.getDependencies()).unprocessed).to.have.length(2);
    const worker = clients.worker<unknown, number>(parts, ({ id }) =>
      id?.endsWith('1') === true ? Promise.resolve(17) : Promise.reject(new Error('no')),
    );
    await Promise.all([once(worker, 'completed'), once(worker, 'failed')]);
    await worker.close();
    const [step] = (await next()).steps ?? [];
    const ends = JSON.parse(step?.value ?? 'null') as readonly { state: string }[];
    expect(ends.map(({ state }) => state)).to.deep.equal(['completed', 'failed']);
    expect(await parent.getDependencies()).to.deep.include({ processed: {}, unprocessed: [] });
  });

  // holds: steps.add-large
  it('have the same children whether these are large, and so stored in several runs, or not', async () => {
    const group = { id: 'a', cost: 2 };
    const jobs = [{}, { delay: HOUR }, { priority: 3, ttl: HOUR }, { group }];
    const shownOf = async (data: string): Promise<readonly object[]> => {
      const parts = queueNamed(`${clients.name}-${data.length}`);
      const added = [
        { name: 'known', jobs: [{ queue: parts, job: jobOf({}, data) }] },
        { name: 'ship', jobs: jobs.map((opts) => ({ queue: parts, job: jobOf(opts, data) })) },
      ];
      const { jobId } = await suspend({ steps: [{ name: 'known', value: '1' }], added });
      const { unprocessed = [] } = await (await native(jobId)).getDependencies();
      const hashes = await clients.commands.keys(`bull:${parts}:*-*`);
      const ofJobs = hashes.filter((each) => !each.includes('jobgate'));
      expect(ofJobs).to.have.members(unprocessed);
      const shown = await Promise.all(ofJobs.map((each) => clients.commands.hgetall(each)));
      return shown
        .map(lastingFields)
        .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
    };
    const small = await shownOf('small');
    expect(small).to.have.lengthOf(jobs.length);
    const large = await shownOf('x'.repeat(100_000));
    expect(large).to.deep.equal(small);
    const left = await clients.commands.keys('bull::jobgate:staged*');
    expect(left).to.deep.equal([]);
  });

  // holds: steps.add-large
  it('leave nothing of what they would add where that is refused', async () => {
    const parts = queueNamed(`${clients.name}-parts`);
    const job = { queue: parts, job: jobOf({}, 'x'.repeat(100_000)) };
    await suspend({
      added: [{ name: 'ship', jobs: [job, job, job] }],
      maxWaiting: new Map([[parts, 2]]),
    });
    await eventually('nothing is left', async () => {
      const left = [`bull:${parts}:*`, 'bull::jobgate:staged*'];
      const found = await Promise.all(left.map((each) => clients.commands.keys(each)));
      return found.flat().length === 0;
    });
  });

  // holds: steps.add-large, steps.faults
  it('keep what they added when that is recorded once more, as after an answer that was lost', async () => {
    const { attempts, queues, steps } = clients.replica;
    const parts = queueNamed(`${clients.name}-parts`);
    const job = { queue: parts, job: jobOf({}, 'x'.repeat(100_000)) };
    const added = [{ name: 'ship', jobs: [job, job, job] }];
    await addOne(queues, clients.name);
    const attempt = await next();
    const nothing = { steps: [], sleeps: [], signals: [], maxWaiting: new Map() };
    const ending = { kind: 'suspended', request: { ...nothing, id: 'added', added } } as const;
    const settle = () => attempts.settle(clients.name, attempt, ending);
    expect([await settle(), await settle()]).to.deep.equal([{ held: true }, { held: false }]);
    await eventually('nothing is staged', async () => {
      return (await clients.commands.keys('bull::jobgate:staged*')).length === 0;
    });
    const awaited = await steps.awaited(clients.name, attempt.jobId);
    expect(awaited?.jobs).to.have.lengthOf(3);
    for (const { id } of awaited?.jobs ?? []) {
      expect((await queues.find(parts, id))?.data).to.have.lengthOf(100_000);
    }
  });

  // holds: steps.signal-bounds
  it('wait for a signal, 100,000 at most, of which 10,000 are kept', async () => {
    const { attempts, jobSignals, queues } = clients.replica;
    const prefix = `bull:${clients.name}:jobgate:`;
    const fill = (key: string, count: number, score: number, member: string): Promise<unknown> =>
      clients.commands.eval(
        `for i = 1, ${count} do redis.call("ZADD", KEYS[1], ${score}, string.format(ARGV[1], i)) end`,
        1,
        prefix + key,
        member,
      );
    await fill('signal-waits', 99_999, 0, 'paid:17 1 none-%d');
    await suspend(WAIT);
    await addOne(queues, clients.name);
    const request = { steps: [], sleeps: [], added: [], id: 'a', maxWaiting: new Map(), ...WAIT };
    const { refusal } = await attempts.settle(clients.name, await next(), {
      kind: 'suspended',
      request,
    });
    const reason = '100000 jobs wait for the signal paid:17';
    expect(refusal).to.deep.equal({ reason, isFinal: false });
    const soon = Date.now() + HOUR;
    await fill('signals-kept', 10_000, soon, 'key:%d');
    const keep = (key: string) => jobSignals.send(clients.name, key, '1', HOUR);
    expect(await rejection(keep('other'))).to.include({ code: 'limit-reached' });
    expect(await keep('key:1')).to.deep.equal({ woken: 0, isRepeated: false });
  });

  // holds: steps.removal
  it('leave nothing behind when their queue is removed', async () => {
    const { jobSignals, queueControl } = clients.replica;
    await suspend({ steps: [{ name: 'one', value: '1' }], ...WAIT });
    await suspend({ steps: [{ name: 'one', value: '1' }], ...REST });
    await jobSignals.send(clients.name, 'other', '1', HOUR);
    await queueControl.remove(clients.name, false);
    expect(await keys()).to.deep.equal([]);
  });
}

/** A hash of a job without its data, its parent, and what depends on its time. */
function lastingFields(hash: Readonly<Record<string, string>>): object {
  const others = ['data', 'timestamp', 'parent', 'parentKey', 'jobgate:expires'];
  const lasting = Object.entries(hash).filter(([name]) => !others.includes(name));
  return Object.fromEntries(lasting.sort(([one], [other]) => one.localeCompare(other)));
}
