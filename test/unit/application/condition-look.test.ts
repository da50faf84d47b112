import { saveWorker } from '../../support/collections.ts';
import { expect } from 'chai';
import sinon from 'sinon';
import type { ConditionLook } from '../../../src/application/hooks/condition-look.ts';
import { beginOf } from '../../../src/domain/figures/figure-steps.ts';
import { FigureCounter } from '../../../src/domain/figures/figures.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { FailureGroups } from '../../../src/domain/jobs/failures.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { newScheduler, type SchedulerInput } from '../../../src/domain/schedulers/scheduler.ts';
import { checkWorker, workerShape } from '../../../src/domain/workers/worker.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { ANY, addEach, addOne, COMPLETED, process, take } from '../../contracts/queue-steps.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';
import { LOOK, WatchedQueues, type LookPorts } from '../../support/watched-queues.ts';

const HOUR = 3_600_000;
const mail = queueNamed('mail');
const FULL = { events: ['queue.full'], when: { waiting: 2 } } as const;

describe('The look at the conditions of hooks', () => {
  let queues: WatchedQueues;
  let replica: ConditionLook;

  beforeEach(() => {
    queues = new WatchedQueues();
    replica = queues.replica();
  });

  const add = (jobs: number, queue = mail): Promise<readonly string[]> =>
    addEach(queues.harness.queues, queue, ...Array.from({ length: jobs }, () => ({})));

  const look = (): Promise<void> => queues.look(replica);

  const complete = async (jobs: number, queue = mail): Promise<void> => {
    for (let count = 0; count < jobs; count += 1)
      await process(queues.harness.attempts, queue, COMPLETED);
  };

  /** Counts ends of jobs, as the recorder of a replica does. */
  const count = async (queue: QueueName, completed: number, failed: number): Promise<void> => {
    const { figures, now } = queues.harness;
    const counter = new FigureCounter();
    counter.count('completed', completed);
    counter.count('failed', failed);
    const failures = new FailureGroups();
    if (failed > 0) failures.add({ id: '1', reason: 'Away', status: undefined, failedAt: now() });
    await figures.save({
      queue,
      source: 'here',
      minute: { at: beginOf('minute', now()), figures: counter.figures },
      hour: { at: beginOf('hour', now()), figures: counter.figures },
      failures: failures.all(),
      calls: [],
    });
  };

  const register = async (opts: object, disabled?: { since: number; reason: string | null }) => {
    const shape = workerShape(queueName({ min: 1, max: 100 }));
    const endpoint = { url: 'http://127.0.0.1:1/', method: 'POST' };
    const worker = checkWorker({ queue: mail, endpoint, opts }, shape);
    await saveWorker(queues.workers, { ...worker, ...(disabled && { disabled }) });
  };

  // holds: hooks.condition-once
  it('reports a full queue once, and once that it is over', async () => {
    queues.hook(FULL);
    await add(3);
    await look();
    await look();
    expect(queues.told).to.deep.equal(['queue.full mail']);
    expect(queues.receiver.messages[0]).to.deep.include({
      threshold: 2,
      queues: [{ queue: mail, value: 3, since: queues.harness.now() - LOOK }],
    });
    await complete(2);
    await look();
    await look();
    expect(queues.told).to.deep.equal(['queue.full mail', 'queue.full.resolved mail']);
  });

  it('reports a late queue only to hooks that are about it', async () => {
    queues.hook({ events: ['queue.late'], when: { oldestWaiting: 60_000 }, queues: ['other'] });
    const [other] = queues.hooks.hooks;
    queues.hooks.hooks = [other!, { ...other!, id: 'second', queues: ['mail'] }];
    await addOne(queues.harness.queues, mail);
    await queues.harness.advance(60_000);
    await look();
    expect(queues.told).to.deep.equal(['queue.late mail']);
  });

  it('reports failures over windows of minutes and of hours', async () => {
    for (const window of [600_000, 6 * HOUR]) {
      queues = new WatchedQueues();
      replica = queues.replica();
      const failureRate = { over: 0.5, window, atLeast: 10 };
      queues.hook({ events: ['queue.failing'], when: { failureRate } });
      for (const queue of [mail, queueNamed('calm')]) await add(1, queue);
      await count(mail, 4, 6);
      await count(queueNamed('calm'), 100, 6);
      await look();
      expect(queues.told).to.deep.equal(['queue.failing mail']);
      expect(queues.receiver.messages[0]).to.have.nested.property('queues[0].value', 0.6);
      await queues.harness.advance(2 * window);
      await look();
      expect(queues.told).to.deep.equal(['queue.failing mail', 'queue.failing.resolved mail']);
    }
  });

  it('reports that jobs wait without a worker until a client claims one', async () => {
    queues.hook({ events: ['queue.unserved'], when: { noWorker: 2 * LOOK } });
    await add(2);
    for (let looks = 0; looks < 4; looks += 1) await look();
    expect(queues.told).to.deep.equal(['queue.unserved mail']);
    await queues.harness.queueStandings.noteClaim(mail);
    await look();
    expect(queues.told).to.deep.equal(['queue.unserved mail', 'queue.unserved.resolved mail']);
  });

  // holds: dead-letters.quiet
  it('reports no dead letters that wait without a worker, but that they wait for long', async () => {
    const when = { noWorker: 1, oldestWaiting: LOOK };
    queues.hook({ events: ['queue.unserved', 'queue.late'], when });
    queues.deadLetterQueues.add(mail);
    await add(2);
    for (let looks = 0; looks < 4; looks += 1) await look();
    expect(queues.told).to.deep.equal(['queue.late mail']);
  });

  it('reports a worker that an answer disabled, and none that a caller did', async () => {
    queues.hook({ events: ['worker.disabled'] });
    await register({}, { since: queues.harness.now(), reason: 'Moving' });
    await look();
    expect(queues.told).to.deep.equal([]);
    const reason = 'The endpoint answered 410 Gone';
    await register({}, { since: queues.harness.now(), reason });
    await look();
    await register({});
    await look();
    expect(queues.told).to.deep.equal(['worker.disabled mail', 'worker.disabled.resolved mail']);
  });

  it('reports an open breaker', async () => {
    queues.hook({ events: ['worker.open'] });
    await register({ breaker: { failures: 1 } });
    await add(1);
    const { attempts, breakers } = queues.harness;
    const attempt = await take(attempts, mail, { ...ANY, hasBreaker: true });
    const verdict = { isDown: true, reason: 'Away', failures: 1, openFor: HOUR, maxOpenFor: HOUR };
    await attempts.settle(mail, attempt, { kind: 'failed', reason: 'Away', verdict });
    await look();
    expect(queues.told).to.deep.equal(['worker.open mail']);
    await breakers.close(mail);
    await look();
    expect(queues.told).to.deep.equal(['worker.open mail', 'worker.open.resolved mail']);
  });

  // holds: hooks.condition-gone
  it('ends the conditions of a queue that is removed', async () => {
    queues.hook(FULL);
    await add(3);
    await look();
    await queues.harness.queueControl.remove(mail, true);
    await look();
    expect(queues.told).to.deep.equal(['queue.full mail', 'queue.full.resolved mail']);
  });

  // holds: hooks.paused-silent
  it('makes no messages for a paused hook, and continues with it later', async () => {
    queues.hook(FULL);
    await add(3);
    await look();
    queues.hook({ ...FULL, paused: true });
    await complete(3);
    await look();
    await look();
    expect(queues.told).to.deep.equal(['queue.full mail']);
    queues.hook(FULL);
    await look();
    expect(queues.told).to.deep.equal(['queue.full mail', 'queue.full.resolved mail']);
  });

  it('ends what a hook does not name any more, and then looks no further', async () => {
    queues.hook(FULL);
    await add(3);
    await look();
    queues.hook({ events: ['job.failed'] });
    await look();
    expect(queues.told).to.deep.equal(['queue.full mail', 'queue.full.resolved mail']);
  });

  it('forgets the state of a hook that is gone', async () => {
    queues.hook(FULL);
    await add(3);
    await look();
    queues.hooks.hooks = [];
    await look();
    expect(await queues.harness.hookStates.ids()).to.deep.equal([]);
  });

  it('keeps the state of a hook that it does not know yet', async () => {
    queues.hook(FULL);
    const [hook] = queues.hooks.hooks;
    await queues.harness.hooks.put('on-call', () => hook);
    await add(3);
    await look();
    queues.hooks.hooks = [];
    await look();
    expect(await queues.harness.hookStates.ids()).to.deep.equal(['on-call']);
  });

  it('begins anew for a hook that is created again', async () => {
    queues.hook(FULL);
    await add(3);
    await look();
    queues.hook({ ...FULL, createdAt: 2 });
    await look();
    expect(queues.told).to.deep.equal(['queue.full mail', 'queue.full mail']);
  });

  // holds: hooks.condition-cost
  it('reads nothing while no hook names a condition', async () => {
    const { hookStates, queueDirectory, figures, schedulers, sharedWork } = queues.harness;
    queues.hook({ events: ['job.failed'] });
    await look();
    const spies = [
      ...(['ids', 'find', 'put', 'change'] as const).map((name) => sinon.spy(hookStates, name)),
      ...(['names', 'glances'] as const).map((name) => sinon.spy(queueDirectory, name)),
      sinon.spy(sharedWork, 'claim'),
      sinon.spy(figures, 'failedSince'),
      sinon.spy(schedulers, 'slots'),
    ];
    await look();
    await look();
    expect(spies.map(({ callCount }) => callCount)).to.deep.equal(spies.map(() => 0));
  });

  it('stores nothing while nothing changes', async () => {
    queues.hook(FULL);
    await add(3);
    await look();
    const before = await queues.harness.hookStates.find('on-call');
    await add(3);
    await look();
    expect(await queues.harness.hookStates.find('on-call')).to.equal(before);
  });

  it('reads standings only of queues for which a hook asks', async () => {
    const standings = sinon.spy(queues.harness.queueStandings, 'standings');
    queues.hook({
      ...FULL,
      events: ['queue.full', 'queue.late'],
      when: { waiting: 1, oldestWaiting: 1 },
    });
    await add(3);
    await look();
    expect(standings.callCount).to.equal(0);
    queues.hook({ events: ['queue.unserved'], when: { noWorker: 1 }, queues: ['mail'] });
    await add(3, queueNamed('other'));
    await look();
    expect(standings.args.flat(2).map(({ queue }) => queue)).to.deep.equal([mail]);
  });

  describe('that finds a time without the job of a scheduler', () => {
    const schedule = async (fields: Partial<SchedulerInput> = {}): Promise<void> => {
      const job = { name: 'report', data: null };
      const scheduler = newScheduler('nightly', { repeat: { every: HOUR }, job, ...fields });
      await queues.harness.schedulers.save(mail, 'nightly', scheduler, 10);
    };

    beforeEach(async () => {
      queues.hook({ events: ['scheduler.missed'], when: { missed: 60_000 } });
      await schedule();
      await look();
    });

    const missed = 'scheduler.missed mail';

    // holds: hooks.missed
    it('reports it once while its job does not start', async () => {
      const slot = queues.harness.now() - LOOK;
      await queues.harness.advance(60_000);
      await look();
      await look();
      expect(queues.told).to.deep.equal([missed]);
      expect(queues.receiver.messages[0]).to.include({ scheduler: 'nightly', slot });
      await complete(1);
      await look();
      expect(queues.told).to.deep.equal([missed]);
      await queues.harness.advance(HOUR + 60_000);
      await look();
      expect(queues.told).to.deep.equal([missed, missed]);
    });

    // holds: hooks.missed
    it('reports one at which no replica ran, although its job has started since', async () => {
      await complete(1);
      await look();
      await queues.harness.advance(HOUR + 120_000);
      await complete(1);
      await look();
      await look();
      expect(queues.told).to.deep.equal([missed]);
    });

    // holds: hooks.missed
    it('reports one whose job started late within a short time without a look', async () => {
      queues.hook({ events: ['scheduler.missed'], when: { missed: 5000 } });
      await complete(1);
      await queues.harness.advance(HOUR - 2 * LOOK);
      await look();
      await queues.harness.advance(LOOK + 7000);
      await complete(1);
      await queues.harness.advance(4000);
      await look();
      await look();
      expect(queues.told).to.deep.equal([missed]);
    });

    // holds: hooks.missed
    it('reports one whose job started late, although the next one started in time since', async () => {
      await schedule({ repeat: { every: 120_000 } });
      await complete(1);
      await look();
      const slot = (await queues.harness.schedulers.slots([mail]))[0]!.slot!;
      await queues.harness.advance(slot + 90_000 - queues.harness.now());
      await complete(1);
      await queues.harness.advance(slot + 120_000 - queues.harness.now());
      await complete(1);
      await look();
      await look();
      expect(queues.told).to.deep.equal([missed]);
      expect(queues.receiver.messages[0]).to.include({ scheduler: 'nightly', slot });
    });

    it('reports none whose job started in time while no replica looked', async () => {
      await complete(1);
      await queues.harness.advance(HOUR);
      await complete(1);
      await queues.harness.advance(120_000);
      await look();
      expect(queues.told).to.deep.equal([]);
    });

    // holds: hooks.missed
    it('reports none of a paused scheduler', async () => {
      await queues.harness.schedulers.pause(mail, 'nightly');
      await complete(1);
      await queues.harness.advance(2 * HOUR);
      await look();
      expect(queues.told).to.deep.equal([]);
    });

    // holds: hooks.missed
    it('reports none that is skipped because the job before is still running', async () => {
      await schedule({ overlap: 'skip' });
      const attempt = await take(queues.harness.attempts, mail, { ...ANY, lockDuration: 9 * HOUR });
      for (let hours = 0; hours < 3; hours += 1) {
        await queues.harness.advance(HOUR);
        await look();
      }
      await queues.harness.attempts.settle(mail, attempt, COMPLETED);
      await look();
      expect(queues.told).to.deep.equal([]);
    });

    it('counts nothing that passed while the hook was paused', async () => {
      await complete(1);
      const [hook] = queues.hooks.hooks;
      queues.hook({ ...hook!, paused: true });
      await look();
      await queues.harness.advance(HOUR + 120_000);
      await complete(1);
      queues.hook(hook!);
      await look();
      await look();
      expect(queues.told).to.deep.equal([]);
    });
  });

  describe('by several replicas', () => {
    it('takes place on one of them at a time', async () => {
      queues.hook(FULL);
      await add(3);
      const names = sinon.spy(queues.harness.queueDirectory, 'names');
      await queues.harness.advance(LOOK);
      await Promise.all([replica, queues.replica(), queues.replica()].map((each) => each.round()));
      expect(names.callCount).to.equal(1);
      expect(queues.told).to.deep.equal(['queue.full mail']);
    });

    // holds: hooks.condition-once
    it('has one message for each change when three look at once all the same', async () => {
      queues.hook(FULL);
      const replicas = Array.from({ length: 3 }, () => queues.replica(slow(queues.ports)));
      const lookAtOnce = async (): Promise<void> => {
        await queues.harness.advance(LOOK);
        await Promise.all(replicas.map((each) => each.round()));
      };
      for (let times = 0; times < 3; times += 1) {
        await add(3);
        await lookAtOnce();
        await complete(3);
        await lookAtOnce();
      }
      const change = ['queue.full mail', 'queue.full.resolved mail'];
      expect(queues.told).to.deep.equal([...change, ...change, ...change]);
      const state = await queues.harness.hookStates.find('on-call');
      expect(state?.outbox).to.deep.equal([]);
    });

    for (const moment of ['before', 'after'] as const) {
      // holds: hooks.condition-once
      it(`has one message for each change when a replica ends ${moment} any step`, async () => {
        // A look that goes through makes no more steps than that.
        for (let step = 1; step <= 10; step += 1) {
          queues = new WatchedQueues();
          queues.hook(FULL);
          await add(3);
          const wasKilled = [await lookKilled(step, moment)];
          await queues.look(queues.replica());
          await complete(3);
          wasKilled.push(await lookKilled(step, moment));
          await queues.look(queues.replica());
          expect(queues.told, `step ${step}`).to.deep.equal([
            'queue.full mail',
            'queue.full.resolved mail',
          ]);
          const state = await queues.harness.hookStates.find('on-call');
          expect(state?.outbox).to.deep.equal([]);
          expect(wasKilled).to.deep.equal(Array(2).fill(step <= STEPS));
        }
      });
    }

    /** The steps of a look that finds a change: claim, ids, find, change, hand over, change. */
    const STEPS = 6;

    /** Has a replica look that ends at a step. @returns whether it came that far. */
    async function lookKilled(step: number, moment: 'before' | 'after'): Promise<boolean> {
      await queues.harness.advance(LOOK);
      const look = queues.replica(ending(queues.ports, step, moment)).round();
      return look.then(
        () => false,
        () => true,
      );
    }
  });

  it('continues with other hooks when one fails', async () => {
    queues.hook(FULL);
    const [hook] = queues.hooks.hooks;
    queues.hooks.hooks = [{ ...hook!, id: 'bad' }, hook!];
    const { ports } = queues;
    const { deliveries, states } = ports;
    const handOver = sinon.stub(deliveries, 'add');
    handOver.withArgs('bad').rejects(new Error('refused'));
    handOver.callThrough();
    await add(3);
    await queues.look(queues.replica(ports));
    expect(queues.told).to.deep.equal(['queue.full mail']);
    const failed = await states.find('bad');
    expect(failed?.outbox).to.have.length(1);
    handOver.restore();
    await look();
    expect(queues.told).to.deep.equal(['queue.full mail', 'queue.full mail']);
  });

  it('fails as a whole while the store is away', async () => {
    queues.hook(FULL);
    await add(3);
    sinon.stub(queues.harness.queueDirectory, 'glances').rejects(new Error('away'));
    await queues.harness.advance(LOOK);
    expect(await rejection(replica.round())).to.have.property('message', 'away');
  });
});

/** Ports of a replica of which nothing more happens from a step on. */
function ending(ports: LookPorts, step: number, moment: 'before' | 'after'): LookPorts {
  let steps = 0;
  return wrapped(ports, async (call) => {
    steps += 1;
    if (steps > step || (steps === step && moment === 'before'))
      throw storeUnavailable(new Error('killed'));
    const answer = await call();
    if (steps === step) throw storeUnavailable(new Error('killed'));
    return answer;
  });
}

/** Ports on which the steps of several replicas alternate, and which let each of them look. */
function slow(ports: LookPorts): LookPorts {
  const { states, deliveries } = wrapped(ports, async (call) => {
    await Promise.resolve();
    const answer = await call();
    await Promise.resolve();
    return answer;
  });
  return { states, deliveries, sharedWork: { claim: () => Promise.resolve(true) } };
}

function wrapped(
  { states, deliveries, sharedWork }: LookPorts,
  step: <T>(call: () => Promise<T>) => Promise<T>,
): LookPorts {
  return {
    states: {
      ids: () => step(() => states.ids()),
      find: (id) => step(() => states.find(id)),
      list: (ids) => step(() => states.list(ids)),
      put: (id, make) => step(() => states.put(id, make)),
      change: (id, change) => step(() => states.change(id, change)),
      remove: (id) => step(() => states.remove(id)),
    },
    deliveries: { add: (hook, some) => step(() => deliveries.add(hook, some)) },
    sharedWork: { claim: (work, interval) => step(() => sharedWork.claim(work, interval)) },
  };
}
