import { expect } from 'chai';
import fc from 'fast-check';
import type { Attempt } from '../../../src/application/ports/attempt-port.ts';
import type { QueueName } from '../../../src/domain/queue-name.ts';
import type { QueueHarness, QueueReplica } from '../queue-harness.ts';
import { addOne, ANY, claimOf, COMPLETED, countsOf, FAILED, uniqueQueue } from '../queue-steps.ts';

const HOLD = 60_000;
const CALL = { outcome: 'deferred', status: 429, response: 'not now' } as const;

const STEPS = [
  'add',
  'claim',
  'claim',
  'claim',
  'complete',
  'fail',
  'release',
  'defer',
  'defer',
  'deferAtOnce',
  'hold',
  'endHold',
  'pass',
  'pause',
  'resume',
] as const;

/** What is done, by which of two replicas, and to which of the running attempts. */
const step = fc.tuple(fc.constantFrom(...STEPS), fc.boolean(), fc.nat(20));

interface Running {
  readonly attempt: Attempt;
  /** Counts the starts. */
  readonly start: number;
}

/** A queue and what must be true of it, in the plainest words. */
class Play {
  readonly queue: QueueName = uniqueQueue();
  readonly #harness: QueueHarness;
  readonly #replicas: readonly QueueReplica[];
  readonly #waiting: string[] = [];
  readonly #running: Running[] = [];
  readonly #deferrals = new Map<string, number>();
  /** The starts of the jobs that were put back since a job started. */
  readonly #putBack = new Map<string, number>();
  #starts = 0;
  #ended = 0;
  #added = 0;
  /** Whether a job went back at once, ahead of all, and none has started since. */
  #isLastAtHead = false;
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
      case 'add': {
        const { id } = await addOne(replica.queues, this.queue);
        this.#waiting.push(id);
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
        // Somebody claims as soon as a hold is ended.
        if (this.#isPaused || this.#waiting.length === 0) return;
        await queueControl.endHold(this.queue);
        this.#isHeld = false;
        return this.#claim(replica);
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
        const isAtOnce = kind === 'release' || kind === 'deferAtOnce';
        const isPutBack = isAtOnce || kind === 'defer';
        // Before a job starts again, nothing is promised of the order of these and others that were put back.
        if (isPutBack && this.#isLastAtHead) return;
        if (isAtOnce && (this.#isHeld || this.#putBack.size > 0)) return;
        this.#isLastAtHead ||= isAtOnce;
        this.#running.splice(this.#running.indexOf(running), 1);
        if (kind === 'release') {
          await attempts.release(this.queue, running.attempt);
          this.#waiting.unshift(running.attempt.jobId);
        } else if (kind === 'complete' || kind === 'fail') {
          const ending = kind === 'complete' ? COMPLETED : FAILED;
          await attempts.settle(this.queue, running.attempt, ending);
          this.#ended += 1;
        } else await this.#defer(replica, running, isAtOnce ? 0 : HOLD);
      }
    }
  }

  /** Fails the test unless every job that was not ended comes once, in order, and its attempts are unused. */
  async end(): Promise<void> {
    const { queueControl, queues } = this.#harness;
    await queueControl.endHold(this.queue);
    await queueControl.resume(this.queue);
    [this.#isHeld, this.#isPaused] = [false, false];
    const left = this.#waiting.length;
    for (let job = 0; job <= left; job += 1) await this.#claim(this.#harness);
    const { active, completed, failed, waiting, delayed } = await countsOf(queues, this.queue);
    expect(active).to.equal(this.#running.length);
    expect(completed! + failed!).to.equal(this.#ended);
    expect([waiting, delayed]).to.deep.equal([0, 0]);
    expect(this.#running.length + this.#ended).to.equal(this.#added);
  }

  async #claim({ attempts }: QueueReplica): Promise<void> {
    const claim = await attempts.claim(this.queue, claimOf(ANY));
    if (this.#isHeld || this.#isPaused || this.#waiting.length === 0) {
      expect(claim.kind).not.to.equal('attempt');
      return;
    }
    if (claim.kind !== 'attempt') throw new Error(`No job, but ${JSON.stringify(claim)}`);
    const { attempt } = claim;
    expect(attempt.jobId).to.equal(this.#waiting.shift());
    expect(attempt.job.attemptsMade).to.equal(0);
    expect(attempt.deferrals).to.equal(this.#deferrals.get(attempt.jobId));
    this.#starts += 1;
    this.#putBack.clear();
    this.#isLastAtHead = false;
    this.#running.push({ attempt, start: this.#starts });
  }

  async #defer(
    { attempts }: QueueReplica,
    { attempt, start }: Running,
    wait: number,
  ): Promise<void> {
    const { jobId } = attempt;
    const until = this.#harness.now() + wait;
    const settled = await attempts.settle(this.queue, attempt, {
      kind: 'deferred',
      reason: 'not now',
      scope: 'queue',
      until,
      call: CALL,
    });
    expect(settled).to.include({ held: true });
    this.#deferrals.set(jobId, (this.#deferrals.get(jobId) ?? 0) + 1);
    let ahead = 0;
    if (wait > 0) {
      this.#isHeld = true;
      for (const [index, id] of this.#waiting.entries()) {
        if ((this.#putBack.get(id) ?? Infinity) < start) ahead = index + 1;
      }
      this.#putBack.set(jobId, start);
    }
    this.#waiting.splice(ahead, 0, jobId);
  }
}

export function describeInterleavings(harness: () => QueueHarness): void {
  // holds: defer.order, defer.no-attempt, hold.queue, hold.running
  it('keeps every job, its place and its attempts, whatever is held, deferred, paused and given back', async () => {
    const other = await harness().replica();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const play = new Play(harness(), other);
        for (let job = 0; job < 6; job += 1) await play.take(['add', false, 0]);
        for (const each of steps) await play.take(each);
        await play.end();
      }),
      { numRuns: 25 },
    );
  }).timeout(20_000);
}
