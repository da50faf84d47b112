import { expect } from 'chai';
import { LONGEST_REST, MOST_OFFERS, type Turn } from '../../../../src/domain/limits/turns.ts';
import type { QueueName } from '../../../../src/domain/queues/queue-name.ts';
import type { QueueState } from '../../../../src/domain/transitions/queue-state.ts';
import {
  offerRoom,
  refusedBy,
  type SharedLimit,
  type TurnsState,
} from '../../../../src/domain/transitions/shared-limits.ts';

const NOW = 1_000_000;
const QUEUES = Array.from({ length: 10_000 }, (_, index) => `queue-${index}` as QueueName).sort();

/** Turns of queues that all wait, which count how many of them are looked at. */
class CountedTurns implements TurnsState {
  looks = 0;
  readonly #turns = new Map<QueueName, Turn>(
    QUEUES.map((queue) => [queue, { starts: 0, waits: true }]),
  );

  get waiting() {
    return this;
  }

  *[Symbol.iterator](): Generator<readonly [QueueName, Turn]> {
    for (const each of this.#turns) {
      this.looks += 1;
      yield each;
    }
  }

  find(queue: QueueName): Turn | undefined {
    return this.#turns.get(queue);
  }

  put(queue: QueueName, turn: Turn | undefined): void {
    this.looks += 1;
    if (turn === undefined) this.#turns.delete(queue);
    else this.#turns.set(queue, turn);
  }
}

describe('a limit at which 10,000 queues wait', () => {
  let turns: CountedTurns;
  let limit: SharedLimit;

  beforeEach(() => {
    turns = new CountedTurns();
    limit = {
      name: 'openai',
      settings: { concurrency: 1, limiter: { max: 100_000, duration: 1000 } },
      running: 0,
      runningOf: () => 0,
      runs: () => false,
      starts: {
        earliest: () => NOW - 1,
        counted: () => ({ cost: 0, first: undefined }),
        count: () => undefined,
        uncount: () => undefined,
        correct: () => undefined,
      },
      turns,
      groupsOf: () => undefined,
    };
  });

  // holds: limits.turns
  it('has a claim look at a few of them', () => {
    const queue = { name: QUEUES.at(-1), limits: { freed: () => undefined } } as unknown;
    const refused = refusedBy(queue as QueueState, [limit], { call: 'call', cost: 1 }, NOW);
    expect(refused?.nextAt).to.be.within(NOW, NOW + LONGEST_REST);
    expect(turns.looks).to.be.at.most(2 * MOST_OFFERS);
  });

  // holds: limits.turns
  it('has room offered to a few of them', () => {
    offerRoom({ ...limit, settings: { concurrency: 1000 } }, NOW);
    expect(turns.looks).to.be.at.most(3 * MOST_OFFERS);
    expect(turns.find(QUEUES[MOST_OFFERS - 1]!)?.offeredUntil).to.be.above(NOW);
    expect(turns.find(QUEUES[2 * MOST_OFFERS]!)?.offeredUntil).to.equal(undefined);
  });
});
