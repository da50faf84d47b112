import { expect } from 'chai';
import type { EventOrGap, QueueEvent } from '../../src/domain/events/queue-event.ts';
import { compareEventIds, idBefore } from '../../src/domain/events/event-id.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { isVolumePlayedOn } from './played-on.ts';
import { Mailbox } from '../support/mailbox.ts';
import type { QueueHarness, QueueReplica } from './queue-harness.ts';
import {
  addOne,
  COMPLETED,
  FAILED,
  HOUR,
  idOf,
  jobOf,
  process,
  retryAfter,
  SHORTLY,
  SOON,
  STALLED_GRACE,
  take,
  uniqueQueue,
} from './queue-steps.ts';

/** Follows a queue and takes its events, one after the other. */
class Follower {
  readonly #told = new Mailbox<EventOrGap>();
  #end: () => void = () => undefined;
  after = '';

  async follow({ events }: QueueReplica, queue: QueueName): Promise<this> {
    const subscription = await events.subscribe(queue, (some) => {
      for (const event of some) this.#told.put(event);
    });
    this.after = subscription.after;
    this.#end = () => {
      subscription.end();
    };
    return this;
  }

  async take(count: number): Promise<EventOrGap[]> {
    const taken: EventOrGap[] = [];
    while (taken.length < count) taken.push(await this.#told.take());
    return taken;
  }

  end(): void {
    this.#end();
  }
}

/** The name of an event, its job and its other fields. */
function brief({ name, data }: EventOrGap): readonly unknown[] {
  const { jobId, ...rest } = data as QueueEvent['data'];
  const details = Object.entries(rest).filter(([field]) => !['queue', 'timestamp'].includes(field));
  return [name, ...(jobId === undefined ? [] : [jobId]), ...details.map(([, value]) => value)];
}

/** What every EventPort promises. */
export function describeEventPort(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`EventPort: ${name}`, () => {
    let harness: QueueHarness;
    let other: QueueReplica;

    before(async () => {
      harness = await createHarness();
      other = await harness.replica();
    });

    after(() => harness.dispose());

    const long = 'ä'.repeat(600);

    /** What is done to a queue that has the job 1, and the events that follow. */
    const steps: readonly (readonly [
      what: string,
      act: (queue: QueueName) => Promise<unknown>,
      told: readonly (readonly unknown[])[],
    ])[] = [
      [
        'a job that is added, taken and completed',
        (queue) => process(other.attempts, queue, { kind: 'completed', returnvalue: { a: [1] } }),
        [['active', '1'], ['completed', '1', { a: [1] }], ['drained']],
      ],
      [
        'a return value of more than a kB, which is left out',
        (queue) => process(other.attempts, queue, { kind: 'completed', returnvalue: long }),
        [['active', '1'], ['completed', '1'], ['drained']],
      ],
      [
        'no return value',
        (queue) => process(other.attempts, queue, COMPLETED),
        [['active', '1'], ['completed', '1', null], ['drained']],
      ],
      [
        'a job that fails',
        (queue) => process(other.attempts, queue, FAILED),
        [['active', '1'], ['failed', '1', FAILED.reason], ['drained']],
      ],
      [
        'a long reason, which is cut',
        (queue) => process(other.attempts, queue, { kind: 'failed', reason: `x${long}` }),
        [['active', '1'], ['failed', '1', `x${'ä'.repeat(511)}`], ['drained']],
      ],
      [
        'a job that is tried again at once',
        (queue) => process(other.attempts, queue, retryAfter(0)),
        [
          ['active', '1'],
          ['waiting', '1'],
        ],
      ],
      [
        'a job that is tried again later',
        (queue) => process(other.attempts, queue, retryAfter(HOUR)),
        [
          ['active', '1'],
          ['delayed', '1', 'a time'],
        ],
      ],
      [
        'a job that is given back',
        async (queue) => other.attempts.release(queue, await take(other.attempts, queue)),
        [
          ['active', '1'],
          ['waiting', '1'],
        ],
      ],
      [
        'progress and lines of the log',
        async (queue) => {
          const attempt = await take(other.attempts, queue);
          await other.attempts.reportProgress(queue, attempt, { done: 50 });
          await other.attempts.reportProgress(queue, attempt, long);
          await other.attempts.addLog(queue, attempt, 'a line');
          await other.attempts.addLog(queue, attempt, long);
        },
        [
          ['active', '1'],
          ['progress', '1', { done: 50 }],
          ['progress', '1'],
          ['log', '1', 'a line'],
          ['log', '1', 'ä'.repeat(512)],
        ],
      ],
      [
        'a stalled job',
        async (queue) => {
          await take(other.attempts, queue, SHORTLY);
          await harness.advance(SOON);
          await other.attempts.recoverStalled(queue, 10);
          await harness.advance(2 * STALLED_GRACE);
          await other.attempts.recoverStalled(queue, 10);
        },
        [
          ['active', '1'],
          ['waiting', '1'],
          ['stalled', '1'],
        ],
      ],
      [
        'other jobs that are added',
        async (queue) => {
          await addOne(other.queues, queue, { priority: 2 });
          await addOne(other.queues, queue, { delay: HOUR });
        },
        [
          ['added', '2', 'work'],
          ['waiting', '2'],
          ['added', '3', 'work'],
          ['delayed', '3', 'a time'],
        ],
      ],
      [
        'a delayed job that falls due',
        async (queue) => {
          await other.jobControl.remove(queue, '1');
          await addOne(other.queues, queue, { delay: 10 });
          await harness.advance(20);
          await take(other.attempts, queue);
        },
        [
          ['removed', '1'],
          ['added', '2', 'work'],
          ['delayed', '2', 'a time'],
          ['waiting', '2'],
          ['active', '2'],
        ],
      ],
      [
        'what operators do to a job',
        async (queue) => {
          const { jobControl } = other;
          await process(other.attempts, queue, retryAfter(HOUR));
          await jobControl.change(queue, '1', { delay: 2 * HOUR });
          await jobControl.promote(queue, '1');
          await jobControl.change(queue, '1', { priority: 7 });
          await jobControl.cancel(queue, '1', { reason: 'no more', keep: {} });
          await jobControl.retry(queue, '1', {});
          await jobControl.remove(queue, '1');
        },
        [
          ['active', '1'],
          ['delayed', '1', 'a time'],
          ['delayed', '1', 'a time'],
          ['waiting', '1'],
          ['cancelled', '1', 'no more'],
          ['failed', '1', 'no more'],
          ['drained'],
          ['waiting', '1'],
          ['removed', '1'],
        ],
      ],
      [
        'a queue that is paused and resumed, once each',
        async (queue) => {
          await other.queueControl.pause(queue);
          await other.queueControl.pause(queue);
          await other.queueControl.resume(queue);
          await other.queueControl.resume(queue);
          await addOne(other.queues, queue, { jobId: 'last' });
        },
        [['paused'], ['resumed'], ['added', 'last', 'work'], ['waiting', 'last']],
      ],
      [
        'a job that is put off, and the hold of its queue',
        async (queue) => {
          const call = { outcome: 'deferred', status: 429 } as const;
          await other.attempts.settle(queue, await take(other.attempts, queue), {
            kind: 'deferred',
            reason: 'not now',
            scope: 'queue',
            until: harness.now() + HOUR,
            call,
          });
        },
        [
          ['active', '1'],
          ['deferred', '1'],
          ['held', 'a time'],
          ['waiting', '1'],
        ],
      ],
      [
        'a queue that is held, and a hold that is no longer than that',
        async (queue) => {
          await other.queueControl.hold(queue, HOUR);
          await other.queueControl.hold(queue, 1);
          await addOne(other.queues, queue, { jobId: 'last' });
        },
        [
          ['held', 'a time'],
          ['added', 'last', 'work'],
          ['waiting', 'last'],
        ],
      ],
    ];
    for (const [what, act, told] of steps) {
      // holds: events.names, events.values
      it(`reports ${what}`, async () => {
        const queue = uniqueQueue();
        const follower = await new Follower().follow(harness, queue);
        await addOne(other.queues, queue);
        await act(queue);
        const events = await follower.take(told.length + 2);
        follower.end();
        const times = events.map(({ data }) => data.timestamp);
        expect(events.map(brief)).to.deep.equal([
          ['added', '1', 'work'],
          ['waiting', '1'],
          ...told.map((expected, index) =>
            expected.at(-1) === 'a time'
              ? [...expected.slice(0, -1), brief(events[index + 2]!).at(-1)]
              : expected,
          ),
        ]);
        expect(events.every(({ data }) => data.queue === queue)).to.equal(true);
        expect(times).to.deep.equal([...times].sort((one, next) => one - next));
        const { events: kept, isEnd } = await harness.events.read(queue, follower.after);
        expect(kept).to.deep.equal(events);
        expect(isEnd).to.equal(true);
      });
    }

    // holds: bounds.events
    it('stores no more of a value than the event carries', async () => {
      const { queues, attempts } = harness;
      const queue = uniqueQueue();
      const [secret, kept] = [`secret-${queue}`, `kept-${queue}`];
      const value = long + secret;
      await addOne(queues, queue, { removeOnComplete: true });
      const attempt = await take(attempts, queue);
      await attempts.reportProgress(queue, attempt, value);
      await attempts.addLog(queue, attempt, value);
      await attempts.settle(queue, attempt, { kind: 'completed', returnvalue: value });
      await addOne(queues, queue, { removeOnFail: true });
      await process(attempts, queue, { kind: 'failed', reason: value });
      await addOne(queues, queue);
      await attempts.reportProgress(queue, await take(attempts, queue), long + kept);
      const dump = await harness.dump?.();
      if (dump === undefined) return;
      // What a job has of a value is stored, so that it would be found where events had it.
      expect([dump.includes(kept), dump.includes(secret)]).to.deep.equal([true, false]);
    });

    // holds: events.resume
    it('reads on behind any event, to the end of what is kept', async () => {
      const queue = uniqueQueue();
      await harness.queues.add(
        queue,
        Array.from({ length: 700 }, () => jobOf()),
      );
      const found: EventOrGap[] = [];
      let after = '0-0';
      for (let isEnd = false; !isEnd;) {
        const kept = await other.events.read(queue, after);
        expect(kept.lostBefore).to.equal(undefined);
        found.push(...kept.events);
        ({ last: after, isEnd } = kept);
      }
      expect(found.map(({ name }) => name)).to.have.length(1400);
      const ids = found.map(idOf);
      expect(ids).to.deep.equal([...new Set(ids)].sort(compareEventIds));
      const middle = found[1000]!;
      const { events } = await other.events.read(queue, idOf(middle));
      expect(events[0]).to.deep.equal(found[1001]);
    });

    if (isVolumePlayedOn(name)) {
      // holds: events.gap, events.kept
      it('reports that events may be lost that are not kept', async () => {
        const queue = uniqueQueue();
        await addOne(harness.queues, queue);
        const { last } = await harness.events.read(queue, '0-0');
        for (let times = 0; times < 2; times += 1) {
          await harness.queues.add(
            queue,
            Array.from({ length: 5500 }, () => jobOf()),
          );
        }
        for (const after of [last, '0-0']) {
          const { lostBefore, events } = await harness.events.read(queue, after);
          expect(lostBefore).to.equal(idOf(events[0]!));
          for (const known of [lostBefore!, idBefore(lostBefore!)]) {
            const again = await harness.events.read(queue, known);
            expect(again).not.to.have.property('lostBefore');
          }
        }
        let kept = 0;
        let read = await harness.events.read(queue, '0-0');
        for (; !read.isEnd; read = await harness.events.read(queue, read.last)) {
          kept += read.events.length;
        }
        kept += read.events.length;
        expect(kept).to.be.within(10_000, 10_200);
      });

      // holds: events.gap
      it('reports that events may be lost when one add alone makes more than are kept', async () => {
        const queue = uniqueQueue();
        await addOne(harness.queues, queue);
        const { last } = await harness.events.read(queue, '0-0');
        await harness.queues.add(
          queue,
          Array.from({ length: 8000 }, () => jobOf()),
        );
        const { lostBefore, events } = await harness.events.read(queue, last);
        expect(lostBefore).to.equal(idOf(events[0]!));
      });
    }

    // holds: events.replicas
    it('serves many followers of one queue or many, on each replica', async () => {
      const queues = Array.from({ length: 20 }, () => uniqueQueue());
      const followers = await Promise.all(
        queues.flatMap((queue) =>
          [harness, other, harness].map((replica) => new Follower().follow(replica, queue)),
        ),
      );
      await Promise.all(queues.map((queue) => addOne(harness.queues, queue)));
      const told = await Promise.all(followers.map((follower) => follower.take(2)));
      queues.forEach((queue, index) => {
        const those = told.slice(index * 3, index * 3 + 3);
        for (const events of those) {
          expect(events.map((event) => event.data.queue)).to.deep.equal([queue, queue]);
          expect(events).to.deep.equal(those[0]);
        }
      });
      for (const follower of followers) follower.end();
    });

    it('reports nothing once it is ended', async () => {
      const queue = uniqueQueue();
      const first = await new Follower().follow(harness, queue);
      const second = await new Follower().follow(harness, queue);
      const late = first.take(1).then(() => 'told');
      first.end();
      await addOne(harness.queues, queue);
      await second.take(2);
      expect(await Promise.race([late, Promise.resolve('untold')])).to.equal('untold');
      second.end();
    });

    // holds: events.kept
    it('goes with the queue', async () => {
      const queue = uniqueQueue();
      await addOne(harness.queues, queue);
      await harness.queueControl.remove(queue, true);
      const { events, isEnd } = await harness.events.read(queue, '0-0');
      expect([events, isEnd]).to.deep.equal([[], true]);
    });
  });
}
