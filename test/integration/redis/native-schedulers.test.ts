import type { Job } from 'bullmq';
import { expect } from 'chai';
import {
  MAX_SCHEDULERS,
  newScheduler,
  type Repeat,
} from '../../../src/domain/schedulers/scheduler.ts';
import { COMPLETED, process, schedulersIn, takenIds } from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { describeBesideNative } from '../../support/redis/beside-native.ts';

const HOUR = 3_600_000;

function slotOf(jobId = ''): number {
  return Number(jobId.split(':')[2]);
}

describeBesideNative('schedulers beside those of native BullMQ clients', (clients) => {
  const save = (repeat: Repeat): Promise<void> => {
    const opts = { attempts: 2, backoff: { type: 'linear', delay: 5 }, keepLogs: 7 } as const;
    const scheduler = newScheduler('mine', { repeat, job: { name: 'work', data: 2, opts } });
    return clients.replica.schedulers.save(clients.name, 'mine', scheduler, MAX_SCHEDULERS);
  };

  // holds: schedulers.native
  it('lists theirs, changes them and removes them', async () => {
    const native = clients.queue();
    const repeat = { pattern: '0 0 1 1 *', tz: 'Asia/Tokyo', limit: 5 };
    const template = { name: 'yearly', data: { a: 1 }, opts: { keepLogs: 3, priority: 4 } };
    await native.upsertJobScheduler('mine', repeat, template);
    await native.upsertJobScheduler('a:b', { every: HOUR, startDate: Date.now() + HOUR });
    const found = await clients.replica.schedulers.find(clients.name, 'mine');
    const { planned, ...rest } = found ?? {};
    expect(rest).to.deep.equal({
      id: 'mine',
      overlap: 'allow',
      paused: false,
      repeat,
      job: { name: 'yearly', data: { a: 1 }, opts: { attempts: 0, keepLogs: 3, priority: 4 } },
    });
    expect(planned).to.include({ count: 1 });
    const listed = await schedulersIn(clients.replica, clients.name);
    expect(listed.map(({ id }) => id)).to.deep.equal(['a:b', 'mine']);

    await save({ pattern: '30 2 * * *', tz: 'Europe/Berlin' });
    expect(await native.getJobScheduler('mine')).to.deep.include({
      name: 'work',
      pattern: '30 2 * * *',
      tz: 'Europe/Berlin',
    });
    expect(await clients.replica.schedulers.remove(clients.name, 'a:b')).to.equal(true);
    expect(await native.getJobSchedulersCount()).to.equal(1);
    expect(await native.getDelayedCount()).to.equal(1);
  });

  // holds: schedulers.native
  it('are known to them, and they may continue, change and remove them', async () => {
    const native = clients.queue();
    await save({ every: 200, limit: 3 });
    const jobs: Job[] = [];
    const done = new Promise<void>((resolve) => {
      clients.worker(clients.name, (job) => {
        if (jobs.push(job) === 3) resolve();
        return Promise.resolve();
      });
    });
    await done;
    expect(new Set(jobs.map(({ id }) => id)).size).to.equal(3);
    expect(jobs[2]).to.deep.include({ name: 'work', data: 2 });
    expect(jobs[2]?.opts).to.deep.include({ attempts: 2, keepLogs: 7 });
    // A worker of theirs would never end an attempt with a backoff that it does not know.
    expect(jobs[2]?.opts.backoff).to.deep.include({ type: 'fixed', delay: 5 });

    await native.upsertJobScheduler('mine', { pattern: '0 5 * * *' }, { name: 'theirs' });
    const changed = await clients.replica.schedulers.find(clients.name, 'mine');
    expect(changed?.repeat).to.deep.equal({ pattern: '0 5 * * *' });
    expect(changed?.job.name).to.equal('theirs');
    await native.removeJobScheduler('mine');
    expect(await clients.replica.schedulers.find(clients.name, 'mine')).to.equal(undefined);
  });

  // holds: schedulers.pause
  it('makes no job while it is paused, on workers of theirs either', async () => {
    const native = clients.queue();
    await save({ every: HOUR });
    const [id = ''] = (await schedulersIn(clients.replica, clients.name)).map(
      ({ planned }) => `repeat:mine:${planned?.slot}`,
    );
    await clients.replica.schedulers.pause(clients.name, 'mine');
    const done = new Promise<Job>((resolve) => {
      const worker = clients.worker(clients.name, () => Promise.resolve());
      worker.on('completed', resolve);
    });
    expect((await done).id).to.equal(id);
    expect(await native.getDelayedCount()).to.equal(0);
    expect(await native.getJobScheduler('mine')).to.deep.include({ name: 'work', every: HOUR });
    await clients.replica.schedulers.resume(clients.name, 'mine');
    const [next] = await native.getDelayed();
    expect(next?.id).to.equal(`repeat:mine:${Number(id.split(':')[2]) + HOUR}`);
    expect(next?.opts).to.nested.include({ 'repeat.every': HOUR, 'repeat.count': 2 });
  });

  // holds: schedulers.overlap-native
  it('skips slots while a worker of theirs runs its job, until they store it anew', async () => {
    const save = (): Promise<void> => {
      const job = { name: 'work', data: 2 };
      const input = { repeat: { every: HOUR }, job, overlap: 'skip' } as const;
      return clients.replica.schedulers.save(
        clients.name,
        'mine',
        newScheduler('mine', input),
        MAX_SCHEDULERS,
      );
    };
    const overlap = async () =>
      (await clients.replica.schedulers.find(clients.name, 'mine'))?.overlap;
    const native = clients.queue();
    await save();
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const started = new Promise<string | undefined>((resolve) => {
      const run = async ({ id }: Job): Promise<void> => {
        resolve(id);
        await finished;
      };
      clients.worker(clients.name, run);
    });
    const first = slotOf(await started);
    await eventually('its worker plans the next one', async () => (await native.getDelayed())[0]);
    await native.pause();
    await clients.replica.jobControl.promote(clients.name, `repeat:mine:${first + HOUR}`);
    await native.resume();
    expect(await takenIds(clients.replica.attempts, clients.name)).to.deep.equal([]);
    const [next] = await native.getDelayed();
    expect(slotOf(next?.id)).to.equal(first + 2 * HOUR);
    expect(await overlap()).to.equal('skip');
    finish();
    await native.upsertJobScheduler('mine', { every: HOUR }, { name: 'theirs' });
    expect(await overlap()).to.equal('allow');
  });

  // holds: schedulers.native
  it('keeps its options in a form that they understand from job to job', async () => {
    await save({ every: HOUR });
    await process(clients.replica.attempts, clients.name, COMPLETED);
    const [next] = await clients.queue().getDelayed();
    expect(next?.opts.backoff).to.deep.include({ type: 'fixed', delay: 5 });
    expect(next?.opts).to.include({ keepLogs: 7, attempts: 2 });
  });
});
