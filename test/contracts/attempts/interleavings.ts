import { expect } from 'chai';
import fc from 'fast-check';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness, QueueReplica } from '../queue-harness.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import {
  addOne,
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  FAILED,
  retryAfter,
  uniqueQueue,
} from '../queue-steps.ts';
import { rounds } from '../../support/lane.ts';
import { isVolumePlayedOn } from '../played-on.ts';

const HOLD = 60_000;
const CALL = { outcome: 'deferred', status: 429, response: 'not now' } as const;

const STEPS = [
  'add',
  'addFirst',
  'addPrioritized',
  'claim',
  'claim',
  'claim',
  'complete',
  'fail',
  'retry',
  'release',
  'release',
  'defer',
  'defer',
  'deferAtOnce',
  'deferAtOnce',
  'hold',
  'endHold',
  'pass',
  'pause',
  'resume',
] as const;

/** Jobs that are there at first: soon none waits, or more always wait than run. */
const backlog = fc.constantFrom(6, 30);

/** What is done, by which of two replicas, and to which of the running attempts. */
const step = fc.tuple(fc.constantFrom(...STEPS), fc.boolean(), fc.nat(20));

interface Running {
  readonly attempt: Attempt;
  /** Counts the starts. */
  readonly start: number;
}

const ADDS: Readonly<Record<string, JobOptionsInput>> = {
  add: {},
  addFirst: { lifo: true },
  addPrioritized: { priority: 3 },
};

/** A queue and what must be true of it, in the plainest words. */
class Play {
  readonly queue: QueueName = uniqueQueue();
  readonly #harness: QueueHarness;
  readonly #replicas: readonly QueueReplica[];
  readonly #waiting: string[] = [];
  readonly #prioritized: string[] = [];
  readonly #running: Running[] = [];
  readonly #deferrals = new Map<string, number>();
  readonly #attemptsMade = new Map<string, number>();
  /** The starts of the jobs that were put back since a job started. */
  readonly #putBack = new Map<string, number>();
  #starts = 0;
  #ended = 0;
  #added = 0;
  #isHeld = false;
  #isPaused = false;

  constructor(harness: QueueHarness, other: QueueReplica) {
    this.#harness = harness;
    this.#replicas = [harness, other];
  }

  async take([kind, isOther, which]: readonly [
    (typeof STEPS)[number],
    boolean,
    number,
  ]): Promise<void> {
    const replica = this.#replicas[isOther ? 1 : 0]!;
    const { attempts, queueControl } = replica;
    switch (kind) {
      case 'add':
      case 'addFirst':
      case 'addPrioritized': {
        const opts = ADDS[kind]!;
        const { id } = await addOne(replica.queues, this.queue, opts);
        this.#enqueue(id, opts);
        this.#added += 1;
        return;
      }
      case 'claim':
        return this.#claim(replica);
      case 'hold':
        await queueControl.hold(this.queue, HOLD);
        this.#isHeld = true;
        return;
      case 'endHold':
        await queueControl.endHold(this.queue);
        this.#isHeld = false;
        return;
      case 'pass':
        await this.#harness.advance(HOLD);
        this.#isHeld = false;
        return;
      case 'pause':
        await queueControl.pause(this.queue);
        this.#isPaused = true;
        return;
      case 'resume':
        await queueControl.resume(this.queue);
        this.#isPaused = false;
        return;
      default: {
        const running = this.#running[which % Math.max(1, this.#running.length)];
        if (running === undefined) return;
        this.#running.splice(this.#running.indexOf(running), 1);
        const { attempt } = running;
        if (kind === 'release') {
          await attempts.release(this.queue, attempt);
          this.#goesBack(running);
        } else if (kind === 'retry') {
          await attempts.settle(this.queue, attempt, retryAfter(0));
          const made = this.#attemptsMade.get(attempt.jobId) ?? 0;
          this.#attemptsMade.set(attempt.jobId, made + 1);
          this.#enqueue(attempt.jobId, attempt.job.opts);
        } else if (kind === 'complete' || kind === 'fail') {
          const ending = kind === 'complete' ? COMPLETED : FAILED;
          await attempts.settle(this.queue, attempt, ending);
          this.#ended += 1;
        } else await this.#defer(replica, running, kind === 'defer' ? HOLD : 0);
      }
    }
  }

  /** Fails the test unless every job that was not ended comes once, in order, and its attempts are unused. */
  async end(): Promise<void> {
    const { queueControl, queues } = this.#harness;
    await queueControl.endHold(this.queue);
    await queueControl.resume(this.queue);
    [this.#isHeld, this.#isPaused] = [false, false];
    const left = this.#waiting.length + this.#prioritized.length;
    for (let job = 0; job <= left; job += 1) await this.#claim(this.#harness);
    const counts = await countsOf(queues, this.queue);
    const { active, completed, failed, waiting, prioritized, delayed } = counts;
    expect(active).to.equal(this.#running.length);
    expect(completed! + failed!).to.equal(this.#ended);
    expect([waiting, prioritized, delayed]).to.deep.equal([0, 0, 0]);
    expect(this.#running.length + this.#ended).to.equal(this.#added);
  }

  async #claim({ attempts }: QueueReplica): Promise<void> {
    const claim = await attempts.claim(this.queue, claimOf(ANY));
    const next = this.#waiting[0] ?? this.#prioritized[0];
    if (this.#isHeld || this.#isPaused || next === undefined) {
      expect(claim.kind).not.to.equal('attempt');
      return;
    }
    if (claim.kind !== 'attempt') throw new Error(`No job, but ${JSON.stringify(claim)}`);
    const { attempt } = claim;
    expect(attempt.jobId).to.equal(next);
    expect(attempt.job.attemptsMade).to.equal(this.#attemptsMade.get(next) ?? 0);
    expect(attempt.deferrals).to.equal(this.#deferrals.get(next));
    (this.#waiting.length > 0 ? this.#waiting : this.#prioritized).shift();
    this.#starts += 1;
    this.#putBack.clear();
    this.#running.push({ attempt, start: this.#starts });
  }

  #enqueue(id: string, { lifo, priority = 0 }: JobOptionsInput): void {
    if (priority > 0) this.#prioritized.push(id);
    else if (lifo === true) this.#waiting.unshift(id);
    else this.#waiting.push(id);
  }

  /** At the head of its place, but behind what went back before and had started before it. */
  #goesBack({ attempt: { jobId, job }, start }: Running): void {
    const place = (job.opts.priority ?? 0) > 0 ? this.#prioritized : this.#waiting;
    const before = place.findLastIndex((id) => (this.#putBack.get(id) ?? Infinity) < start);
    place.splice(before + 1, 0, jobId);
    this.#putBack.set(jobId, start);
  }

  async #defer({ attempts }: QueueReplica, running: Running, wait: number): Promise<void> {
    const { attempt } = running;
    const until = this.#harness.now() + wait;
    const settled = await attempts.settle(this.queue, attempt, {
      kind: 'deferred',
      reason: 'not now',
      scope: 'queue',
      until,
      call: CALL,
    });
    expect(settled).to.include({ held: true });
    this.#deferrals.set(attempt.jobId, (this.#deferrals.get(attempt.jobId) ?? 0) + 1);
    if (wait > 0) this.#isHeld = true;
    this.#goesBack(running);
  }
}

export function describeInterleavings(harness: () => QueueHarness, store: string): void {
  if (isVolumePlayedOn(store)) {
    // holds: defer.order, defer.no-attempt, hold.queue, hold.running
    it('keeps every job, its place and its attempts, whatever is held, deferred, paused and given back', async () => {
      const other = await harness().replica();
      await fc.assert(
        fc.asyncProperty(
          backlog,
          fc.array(step, { minLength: 20, maxLength: 60 }),
          async (jobs, steps) => {
            const play = new Play(harness(), other);
            for (let job = 0; job < jobs; job += 1) await play.take(['add', false, 0]);
            for (const each of steps) await play.take(each);
            await play.end();
          },
        ),
        { numRuns: rounds(25, 8) },
      );
    }).timeout(20_000);
  }
}
