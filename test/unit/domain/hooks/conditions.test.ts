import { expect } from 'chai';
import {
  conditionsAfter,
  type ConditionChanges,
  type ConditionTerms,
  type HeldConditions,
} from '../../../../src/domain/hooks/conditions.ts';
import type { ConditionEvent } from '../../../../src/domain/hooks/hook-events.ts';
import { MOST_NAMED, type ConditionMessage } from '../../../../src/domain/hooks/hook-message.ts';
import type { QueueFacts } from '../../../../src/domain/hooks/queue-facts.ts';
import { queueNamed } from '../../../support/queue-named.ts';

const NOW = Date.UTC(2026, 0, 1);
const LOOK = 10_000;

const CALM: QueueFacts = {
  queue: queueNamed('mail'),
  waiting: 0,
  oldestWaiting: null,
  ends: () => ({ completed: 0, failed: 0 }),
  isUnserved: false,
};

const WHEN = {
  oldestWaiting: 100_000,
  waiting: 10,
  failureRate: { over: 0.5, window: 600_000, atLeast: 10 },
  noWorker: 30_000,
};

/** A hook that looks at its queues every ten seconds. */
class Looks {
  readonly #terms: ConditionTerms;
  #held: HeldConditions = {};
  now = NOW;

  constructor(terms: Partial<ConditionTerms>) {
    this.#terms = { events: ['queue.*', 'worker.*'], when: WHEN, for: 0, repeat: null, ...terms };
  }

  get held(): HeldConditions {
    return this.#held;
  }

  look(...facts: readonly Partial<QueueFacts>[]): readonly ConditionMessage[] {
    return this.lookWith(this.#terms, ...facts);
  }

  lookWith(
    terms: ConditionTerms,
    ...facts: readonly Partial<QueueFacts>[]
  ): readonly ConditionMessage[] {
    const changes: ConditionChanges = conditionsAfter(
      this.#held,
      facts.map((each) => ({ ...CALM, ...each })),
      terms,
      this.now,
    );
    this.#held = changes.held;
    this.now += LOOK;
    return changes.messages;
  }
}

/** The messages in short: `mail late`, or `mail late over`. */
function inShort(messages: readonly ConditionMessage[]): readonly string[] {
  return messages.map(({ type, isOver, queues }) =>
    [...queues.map(({ queue }) => queue), type, ...(isOver ? ['over'] : [])].join(' '),
  );
}

function ended(completed: number, failed: number): Partial<QueueFacts> {
  return { ends: () => ({ completed, failed }) };
}

interface Case {
  readonly event: ConditionEvent;
  readonly begins: Partial<QueueFacts>;
  readonly value: number | null;
  readonly threshold: number | null;
  /** Close below the threshold: it does not begin, and lasts. */
  readonly between?: readonly Partial<QueueFacts>[];
  readonly over: readonly Partial<QueueFacts>[];
}

const CASES: readonly Case[] = [
  {
    event: 'queue.late',
    begins: { oldestWaiting: 100_001 },
    value: 100_001,
    threshold: 100_000,
    between: [{ oldestWaiting: 100_000 }, { oldestWaiting: 80_001 }],
    over: [{ oldestWaiting: 80_000 }, { oldestWaiting: 0 }, { oldestWaiting: null }],
  },
  {
    event: 'queue.full',
    begins: { waiting: 11 },
    value: 11,
    threshold: 10,
    between: [{ waiting: 10 }, { waiting: 9 }],
    over: [{ waiting: 8 }, { waiting: 0 }],
  },
  {
    event: 'queue.failing',
    begins: ended(4, 6),
    value: 0.6,
    threshold: 0.5,
    between: [ended(5, 5), ended(11, 9), ended(3, 6)],
    over: [ended(6, 4), ended(0, 7), ended(0, 0)],
  },
  {
    event: 'worker.open',
    begins: { openSince: NOW },
    value: null,
    threshold: null,
    over: [{}],
  },
  {
    event: 'worker.disabled',
    begins: { disabledSince: NOW },
    value: null,
    threshold: null,
    over: [{}],
  },
];

describe('The conditions of a hook', () => {
  for (const { event, begins, value, threshold, between = [], over } of CASES) {
    describe(event, () => {
      // holds: hooks.condition-once
      it('is reported once when it begins, and once when it is over', () => {
        for (const end of over) {
          const looks = new Looks({ events: [event] });
          expect(looks.look({})).to.deep.equal([]);
          const begun = looks.now;
          const [message] = looks.look(begins);
          expect(message).to.deep.include({
            kind: 'condition',
            type: event,
            isOver: false,
            at: begun,
            more: 0,
            threshold,
          });
          expect(message?.queues[0]).to.include({ queue: 'mail', value });
          expect(looks.look(begins)).to.deep.equal([]);
          const [last] = looks.look(end);
          expect(last).to.include({ type: event, isOver: true });
          expect(last?.queues[0]?.since).to.equal(message?.queues[0]?.since);
          expect(looks.look(end)).to.deep.equal([]);
          expect(looks.held).to.deep.equal({});
        }
      });

      // holds: hooks.condition-over
      it('lasts close below its threshold, and does not begin there', () => {
        for (const close of between) {
          const looks = new Looks({ events: [event] });
          expect(looks.look(close)).to.deep.equal([]);
          expect(looks.held).to.deep.equal({});
          looks.look(begins);
          expect(looks.look(close)).to.deep.equal([]);
          expect(inShort(looks.look(over[0] ?? {}))).to.deep.equal([`mail ${event} over`]);
        }
      });

      // holds: hooks.condition-for
      it('is reported only after it has held for long enough', () => {
        const looks = new Looks({ events: [event], for: 2 * LOOK });
        const began = looks.now;
        expect(looks.look(begins)).to.deep.equal([]);
        expect(looks.look(begins)).to.deep.equal([]);
        const [message] = looks.look(begins);
        expect(message?.queues[0]?.since).to.equal(began);
        expect(inShort(looks.look({}))).to.deep.equal([`mail ${event} over`]);
      });

      it('leaves nothing behind when it ends before that', () => {
        const looks = new Looks({ events: [event], for: 2 * LOOK });
        looks.look(begins);
        looks.look(begins);
        expect(looks.look(between[0] ?? {})).to.deep.equal([]);
        expect(looks.held).to.deep.equal({});
      });

      // holds: hooks.condition-repeat
      it('is reported again while it lasts, after each repeat', () => {
        const looks = new Looks({ events: [event], repeat: 2 * LOOK });
        const messages = [begins, begins, begins, between[0] ?? begins, begins].map((facts) =>
          inShort(looks.look(facts)),
        );
        expect(messages).to.deep.equal([
          [`mail ${event}`],
          [],
          [`mail ${event}`],
          [],
          [`mail ${event}`],
        ]);
      });

      // holds: hooks.condition-gone
      it('is over when its queue is gone', () => {
        const looks = new Looks({ events: [event] });
        looks.look(begins);
        const [message] = looks.look();
        expect(message).to.include({ type: event, isOver: true });
        expect(message?.queues[0]).to.include({ queue: 'mail', value: null });
        expect(looks.look()).to.deep.equal([]);
      });
    });
  }

  describe('queue.unserved', () => {
    const unserved = { isUnserved: true, waiting: 1 };

    // holds: hooks.condition-over
    it('begins after the time without a worker, and ends with the first claim', () => {
      const looks = new Looks({ events: ['queue.unserved'] });
      const messages = Array.from({ length: 4 }, () => looks.look(unserved));
      expect(messages.map(inShort)).to.deep.equal([[], [], [], ['mail queue.unserved']]);
      expect(messages[3]?.[0]).to.include({ threshold: 30_000 });
      expect(messages[3]?.[0]?.queues[0]).to.include({ value: 30_000, since: NOW });
      const claim = { ...unserved, servedAt: looks.now - 1 };
      expect(inShort(looks.look(claim))).to.deep.equal(['mail queue.unserved over']);
      expect(looks.held).to.deep.equal({
        'queue.unserved': [{ queue: 'mail', since: claim.servedAt }],
      });
    });

    it('counts from the last claim', () => {
      const looks = new Looks({ events: ['queue.unserved'] });
      const served = { ...unserved, servedAt: NOW - 25_000 };
      expect(looks.look(served)).to.deep.equal([]);
      expect(inShort(looks.look(served))).to.deep.equal(['mail queue.unserved']);
    });

    it('begins anew after a claim before it is reported', () => {
      const looks = new Looks({ events: ['queue.unserved'] });
      looks.look(unserved);
      looks.look(unserved);
      looks.look({ ...unserved, servedAt: NOW + 15_000 });
      expect(looks.held).to.deep.equal({
        'queue.unserved': [{ queue: 'mail', since: NOW + 15_000 }],
      });
    });

    it('holds for `for` beyond that time', () => {
      const looks = new Looks({ events: ['queue.unserved'], for: LOOK });
      const messages = Array.from({ length: 5 }, () => inShort(looks.look(unserved)));
      expect(messages).to.deep.equal([[], [], [], [], ['mail queue.unserved']]);
    });

    it('ends when a worker is registered, or when no job waits', () => {
      const looks = new Looks({ events: ['queue.unserved'] });
      for (let times = 0; times < 4; times += 1) looks.look(unserved);
      expect(inShort(looks.look({ waiting: 1 }))).to.deep.equal(['mail queue.unserved over']);
    });
  });

  it('ends and begins anew when a breaker was closed between two looks', () => {
    const looks = new Looks({ events: ['worker.open'] });
    looks.look({ openSince: NOW - 5 });
    const again = { openSince: NOW + 5 };
    expect(inShort(looks.look(again))).to.deep.equal(['mail worker.open over']);
    expect(inShort(looks.look(again))).to.deep.equal(['mail worker.open']);
  });

  // holds: hooks.condition-together
  it('makes one message of what begins for several queues, the worst of them first', () => {
    const looks = new Looks({ events: ['queue.full', 'queue.late'] });
    const full = Array.from({ length: 25 }, (_, index) => {
      return { queue: queueNamed(`queue-${index}`), waiting: 11 + index };
    });
    const [message, ...others] = looks.look(...full);
    expect(others).to.deep.equal([]);
    expect(message?.queues).to.have.length(MOST_NAMED);
    expect(message?.queues[0]).to.include({ queue: 'queue-24', value: 35 });
    expect(message?.more).to.equal(5);
    const [over] = looks.look(...full.map(({ queue }) => ({ queue })));
    expect(over).to.include({ isOver: true, more: 5 });
  });

  it('reports each of several conditions of one queue by itself', () => {
    const looks = new Looks({});
    expect(inShort(looks.look({ waiting: 11, oldestWaiting: 200_000 }))).to.deep.equal([
      'mail queue.late',
      'mail queue.full',
    ]);
  });

  it('ends what the hook does not name any more', () => {
    const looks = new Looks({ events: ['queue.full'] });
    looks.look({ waiting: 11 });
    const other: ConditionTerms = { events: ['worker.*'], for: 0, repeat: null };
    const [message] = looks.lookWith(other, { waiting: 11 });
    expect(message).to.deep.include({ type: 'queue.full', isOver: true, threshold: null });
  });

  it('keeps the very conditions that last, so that nothing has to be stored', () => {
    const looks = new Looks({ events: ['queue.full'], for: 5 * LOOK });
    looks.look({ waiting: 11 });
    const [pending] = looks.held['queue.full'] ?? [];
    looks.look({ waiting: 12 });
    expect(looks.held['queue.full']?.[0]).to.equal(pending);
  });
});
