import { expect } from 'chai';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { Claim } from '../../../src/domain/attempts/claim.ts';
import { REPORTED, type Verdict } from '../../../src/domain/attempts/breaker.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addEach,
  addOne,
  ANY,
  claimOf,
  findStalled,
  HOUR,
  pausedIn,
  SHORTLY,
  SOON,
  take,
  uniqueQueue,
  countsOf,
  NO_JOBS,
} from '../queue-steps.ts';
import { isVolumePlayedOn } from '../played-on.ts';

const OPEN_FOR = 60_000;
const TERMS = { failures: 2, openFor: OPEN_FOR, maxOpenFor: 3 * OPEN_FOR };
const DOWN: Verdict = { ...TERMS, isDown: true, reason: 'ECONNREFUSED' };
const UP: Verdict = { ...TERMS, isDown: false, reason: '' };

const CALL = { ...ANY, hasBreaker: true };
const PULL = { ...ANY, isPulled: true };

function failed(verdict = DOWN): AttemptEnding {
  return { kind: 'failed', reason: 'it broke', verdict };
}

function retried(delay: number, verdict = DOWN): AttemptEnding {
  return { kind: 'retry', reason: 'it broke', delay, verdict };
}

function completed(): AttemptEnding {
  return { kind: 'completed', returnvalue: null, verdict: UP };
}

/** What a breaker of the terms does, in the plainest words. */
class BreakerModel {
  #failed = new Set<string>();
  #openFor = 0;
  #left = 0;
  #probe = '';

  get mayStart(): boolean {
    return this.#openFor === 0 || (this.#left <= 0 && this.#probe === '');
  }

  started(token: string): void {
    if (this.#openFor > 0) this.#probe = token;
  }

  ended({ jobId, token }: Attempt, isDown: boolean): 'opened' | 'closed' | undefined {
    if (this.#openFor > 0 && token !== this.#probe) return undefined;
    if (!isDown) {
      const wasOpen = this.#openFor > 0;
      [this.#openFor, this.#probe, this.#failed] = [0, '', new Set()];
      return wasOpen ? 'closed' : undefined;
    }
    if (this.#openFor > 0) {
      this.#open(Math.min(2 * this.#openFor, TERMS.maxOpenFor));
      return undefined;
    }
    if (this.#failed.add(jobId).size < TERMS.failures) return undefined;
    this.#open(OPEN_FOR);
    return 'opened';
  }

  advance(ms: number): void {
    this.#left -= ms;
  }

  #open(openFor: number): void {
    [this.#openFor, this.#left, this.#probe, this.#failed] = [openFor, openFor, '', new Set()];
  }
}

/** Numbers from 0 to below 1, the same for a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export function describeBreaker(harness: () => QueueHarness, store: string): void {
  /** Claims for a call. */
  const claim = (queue: QueueName, terms = CALL): Promise<Claim> =>
    harness().attempts.claim(queue, claimOf(terms));

  const call = (queue: QueueName): Promise<Attempt> => take(harness().attempts, queue, CALL);

  const settle = (queue: QueueName, attempt: Attempt, ending: AttemptEnding) =>
    harness().attempts.settle(queue, attempt, ending);

  /** Fails the test unless the claim may be repeated within so many ms. */
  function expectLimited(answer: Claim | undefined, most: number): void {
    if (answer?.kind !== 'limited') throw new Error(`Not limited: ${JSON.stringify(answer)}`);
    expect(answer.until - harness().now())
      .to.be.greaterThan(0)
      .and.at.most(most + 1);
  }

  /** A queue of so many jobs whose breaker is open. */
  async function opened(jobs: number): Promise<QueueName> {
    const queue = uniqueQueue();
    await addEach(harness().queues, queue, ...Array.from({ length: jobs + 2 }, () => ({})));
    for (const breaker of [undefined, 'opened']) {
      const settled = await settle(queue, await call(queue), failed());
      expect(settled.breaker).to.equal(breaker);
    }
    return queue;
  }

  describe('the breaker', () => {
    // holds: breaker.opens, breaker.no-attempt
    it('opens after so many jobs in a row, in the step that ends the last of them', async () => {
      const { queues, attempts, breakers } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {}, {});
      const [one, two, three] = [await call(queue), await call(queue), await call(queue)];
      expect(await settle(queue, one, failed())).to.deep.equal({ held: true });
      expect(await breakers.find(queue)).to.equal(undefined);
      const last = await attempts.settle(queue, two, failed(), claimOf(CALL));
      expect(last).to.include({ held: true, breaker: 'opened' });
      if (last.next !== undefined) expectLimited(last.next, OPEN_FOR);
      expectLimited(await claim(queue), OPEN_FOR);
      const open = await breakers.find(queue);
      expect(open).to.include({ reason: 'ECONNREFUSED' });
      expect(open!.until! - open!.since).to.be.within(OPEN_FOR, OPEN_FOR + 1);
      expect(await settle(queue, three, failed())).to.deep.equal({ held: true });
    });

    // holds: breaker.distinct
    it('counts a job once, however often it is tried', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue, { attempts: 10 });
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect((await settle(queue, await call(queue), retried(0))).breaker).to.equal(undefined);
      }
      await addOne(queues, queue, { lifo: true });
      const { breaker } = await settle(queue, await call(queue), retried(50));
      expect(breaker).to.equal('opened');
    });

    for (const [what, ending] of [
      ['a completed job', completed()],
      ['an answer that fails a job', failed(UP)],
      ['an answer that fails an attempt', retried(50, UP)],
      ['such an answer, tried again at once', retried(0, UP)],
    ] as const) {
      // holds: breaker.reset
      it(`begins to count anew after ${what}`, async () => {
        const { queues, breakers } = harness();
        const queue = uniqueQueue();
        await addEach(queues, queue, {}, {}, {}, {});
        for (const each of [failed(), ending, failed()]) {
          const settled = await settle(queue, await call(queue), each);
          expect(settled).to.deep.equal({ held: true });
        }
        expect(await breakers.find(queue)).to.equal(undefined);
        expect((await settle(queue, await call(queue), failed())).breaker).to.equal('opened');
      });
    }

    it('counts nothing where no verdict is passed', async () => {
      const { queues, breakers } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {});
      for (let job = 0; job < 3; job += 1) {
        await settle(queue, await call(queue), { kind: 'failed', reason: 'no verdict' });
      }
      expect(await breakers.find(queue)).to.equal(undefined);
    });

    // holds: breaker.pull
    it('does not concern those who take jobs themselves', async () => {
      const queue = await opened(2);
      const pulled = await take(harness().attempts, queue, PULL);
      expectLimited(await claim(queue), OPEN_FOR);
      expect(await settle(queue, pulled, { kind: 'completed', returnvalue: null })).to.deep.equal({
        held: true,
      });
      expectLimited(await claim(queue), OPEN_FOR);
    });

    // holds: breaker.probe, breaker.closes
    it('lets one probe start on all replicas together, which closes it', async () => {
      const { attempts, advance, breakers } = harness();
      const other = await harness().replica();
      const queue = await opened(20);
      await advance(OPEN_FOR - 5000);
      expectLimited(await claim(queue), 5000);
      await advance(5000);
      expect(await breakers.find(queue)).not.to.have.property('until');
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? attempts : other.attempts).claim(queue, claimOf(CALL)),
        ),
      );
      const probes = claims.flatMap((each) => (each.kind === 'attempt' ? [each.attempt] : []));
      expect(probes).to.have.lengthOf(1);
      for (const each of claims) if (each.kind !== 'attempt') expectLimited(each, 1000);
      expect((await settle(queue, probes[0]!, completed())).breaker).to.equal('closed');
      expect(await breakers.find(queue)).to.equal(undefined);
      await take(other.attempts, queue, CALL);
      await call(queue);
    });

    // holds: breaker.doubles
    it('stays open for twice as long after each probe that fails, up to a bound', async () => {
      const { advance, breakers } = harness();
      const queue = await opened(4);
      const { since } = (await breakers.find(queue))!;
      let left = OPEN_FOR;
      for (const times of [2, 3, 3]) {
        await advance(left);
        const reason = `timeout ${times}`;
        const probe = await call(queue);
        const settled = await settle(queue, probe, failed({ ...DOWN, reason }));
        expect(settled).to.deep.equal({ held: true });
        expect(await breakers.find(queue)).to.include({ reason, since });
        const next = times * OPEN_FOR;
        expectLimited(await claim(queue), next);
        await advance(next - 5000);
        expectLimited(await claim(queue), 5000);
        left = 5000;
      }
      await advance(left);
      expect((await settle(queue, await call(queue), completed())).breaker).to.equal('closed');
    });

    it('does not listen to calls that began before it opened', async () => {
      const { queues, advance, breakers } = harness();
      const queue = uniqueQueue();
      await addEach(queues, queue, {}, {}, {}, {}, {}, {});
      const early = [await call(queue), await call(queue)];
      for (let job = 0; job < 2; job += 1) await settle(queue, await call(queue), failed());
      expect(await settle(queue, early[0]!, completed())).to.deep.equal({ held: true });
      expectLimited(await claim(queue), OPEN_FOR);
      await advance(OPEN_FOR);
      const probe = await call(queue);
      expect(await settle(queue, early[1]!, completed())).to.deep.equal({ held: true });
      expectLimited(await claim(queue), 1000);
      expect(await breakers.find(queue)).not.to.equal(undefined);
      expect((await settle(queue, probe, completed())).breaker).to.equal('closed');
    });

    for (const [what, end] of [
      [
        'was released',
        (queue: QueueName, probe: Attempt) => harness().attempts.release(queue, probe),
      ],
      [
        'was cancelled',
        (queue: QueueName, probe: Attempt) =>
          harness().jobControl.cancel(queue, probe.jobId, { reason: 'Cancelled' }),
      ],
      [
        'ended without a verdict',
        (queue: QueueName, probe: Attempt) =>
          settle(queue, probe, { kind: 'failed', reason: 'no verdict' }),
      ],
    ] as const) {
      // holds: breaker.probe-lost
      it(`lets another probe start when one ${what}`, async () => {
        const { advance } = harness();
        const queue = await opened(3);
        await advance(OPEN_FOR);
        const probe = await call(queue);
        expectLimited(await claim(queue), 1000);
        await end(queue, probe);
        const next = await call(queue);
        expectLimited(await claim(queue), 1000);
        expect((await settle(queue, next, completed())).breaker).to.equal('closed');
      });
    }

    // holds: breaker.pull
    it('is closed by an endpoint that reports the end of the probe, and no client that took a job', async () => {
      const { attempts, advance, breakers } = harness();
      const queue = await opened(3);
      const reported: AttemptEnding = { kind: 'completed', returnvalue: null, verdict: REPORTED };
      const pulled = await take(attempts, queue, PULL);
      await advance(OPEN_FOR);
      const probe = await call(queue);
      expect(await attempts.reportEnding(queue, pulled, reported)).to.equal('recorded');
      expect(await breakers.find(queue)).not.to.equal(undefined);
      expect(await attempts.reportEnding(queue, probe, reported)).to.equal('recorded');
      expect(await breakers.find(queue)).to.equal(undefined);
    });

    // holds: steps.probe
    it('is closed by an endpoint that suspends the probe by a report', async () => {
      const { steps, advance, breakers } = harness();
      const queue = await opened(2);
      await advance(OPEN_FOR);
      const probe = await call(queue);
      const request = {
        ...{
          steps: [],
          signals: [],
          added: [],
          id: 'added',
          maxWaiting: new Map<QueueName, number>(),
        },
        sleeps: [{ name: 'rest', duration: HOUR }],
      };
      expect(await steps.suspend(queue, probe, request)).to.equal('recorded');
      expect(await breakers.find(queue)).to.equal(undefined);
    });

    // holds: breaker.probe-lost
    it('lets another probe start when the replica of one is gone', async () => {
      const { attempts, advance } = harness();
      const queue = await opened(2);
      await advance(OPEN_FOR);
      const lost = await take(attempts, queue, { ...SHORTLY, hasBreaker: true });
      await advance(SOON);
      expectLimited(await claim(queue), 1000);
      expect(await findStalled(harness(), queue)).to.deep.equal([lost.jobId]);
      const probe = await call(queue);
      expect(await settle(queue, lost, completed())).to.deep.equal({ held: false });
      expectLimited(await claim(queue), 1000);
      expect((await settle(queue, probe, completed())).breaker).to.equal('closed');
    });

    // holds: breaker.registering
    it('is closed by hand, whatever it had counted', async () => {
      const { breakers, queues } = harness();
      const queue = await opened(4);
      await breakers.close(queue);
      expect(await breakers.find(queue)).to.equal(undefined);
      expect(await settle(queue, await call(queue), failed())).to.deep.equal({ held: true });
      await breakers.close(queue);
      expect(await settle(queue, await call(queue), failed())).to.deep.equal({ held: true });
      const none = uniqueQueue();
      await breakers.close(none);
      expect(await pausedIn(harness().queueDirectory, none)).to.equal(undefined);
      expect(await countsOf(queues, none)).to.deep.equal(NO_JOBS);
    });

    it('is gone when the worker has none any more', async () => {
      const { breakers } = harness();
      const queue = await opened(2);
      await take(harness().attempts, queue);
      expect(await breakers.find(queue)).to.equal(undefined);
    });

    it('is open beside a hold: both must be over', async () => {
      const { queueControl, advance, breakers } = harness();
      const queue = await opened(2);
      await queueControl.hold(queue, 2 * OPEN_FOR);
      await advance(OPEN_FOR);
      expectLimited(await claim(queue), OPEN_FOR);
      await advance(OPEN_FOR);
      const probe = await call(queue);
      expectLimited(await claim(queue), 1000);
      await queueControl.hold(queue, OPEN_FOR);
      await queueControl.endHold(queue);
      expect(await breakers.find(queue)).not.to.equal(undefined);
      expect((await settle(queue, probe, completed())).breaker).to.equal('closed');
    });

    it('goes with its queue', async () => {
      const { queues, queueControl, breakers } = harness();
      const queue = await opened(1);
      await queueControl.remove(queue, true);
      expect(await breakers.find(queue)).to.equal(undefined);
      await addEach(queues, queue, {}, {});
      expect(await settle(queue, await call(queue), failed())).to.deep.equal({ held: true });
      await call(queue);
    });

    for (const seed of [1, 2, 3]) {
      if (isVolumePlayedOn(store)) {
        // holds: breaker.races
        it(`does as its model does, whatever ends in whatever order (${seed})`, async () => {
          const { queues, attempts, advance } = harness();
          const other = await harness().replica();
          const queue = uniqueQueue();
          await addEach(queues, queue, ...Array.from({ length: 60 }, () => ({})));
          const model = new BreakerModel();
          const chance = random(seed);
          const running: Attempt[] = [];
          for (let step = 0; step < 120; step += 1) {
            const replica = chance() < 0.5 ? attempts : other.attempts;
            const what = chance();
            if (what < 0.1) {
              await advance(OPEN_FOR / 2);
              model.advance(OPEN_FOR / 2);
            } else if (what < 0.5 || running.length === 0) {
              const answer = await replica.claim(queue, claimOf(CALL));
              const expected = model.mayStart ? ['attempt', 'idle'] : ['limited'];
              expect(expected, `step ${step}`).to.include(answer.kind);
              if (answer.kind !== 'attempt') continue;
              model.started(answer.attempt.token);
              running.push(answer.attempt);
            } else {
              const [attempt] = running.splice(Math.floor(chance() * running.length), 1);
              if (attempt === undefined) continue;
              const isDown = chance() < 0.6;
              const ending = isDown ? retried(0) : completed();
              const { breaker } = await replica.settle(queue, attempt, ending);
              expect(breaker, `step ${step}`).to.equal(model.ended(attempt, isDown));
            }
          }
        });
      }
    }

    // holds: breaker.probe
    it('lets a probe start that a limiter lets start, with a priority or due', async () => {
      const { queues, advance } = harness();
      const queue = await opened(0);
      await addEach(queues, queue, { priority: 3 }, { delay: 10 });
      await advance(OPEN_FOR);
      const limited = { ...CALL, limiter: { max: 5, duration: HOUR } };
      const probe = await take(harness().attempts, queue, limited);
      expectLimited(await claim(queue, limited), 1000);
      expect((await settle(queue, probe, completed())).breaker).to.equal('closed');
      await take(harness().attempts, queue, limited);
    });
  });
}
