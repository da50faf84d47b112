import { expect } from 'chai';
import {
  demandOf,
  NO_DEMAND,
  perWorkerShape,
  totalDemand,
  workersWanted,
  type DemandFacts,
  type DemandTerms,
} from '../../../src/domain/queues/demand.ts';

const NOW = 1_000_000;

const BUSY: DemandFacts = {
  now: NOW,
  active: 3,
  waiting: 10,
  waitingBehindLimits: 0,
  due: 2,
  dueBehindLimits: 0,
  startableSince: NOW - 7000,
  isPaused: false,
  isHeld: false,
};

const PLAIN: DemandTerms = { hasBreaker: false, window: undefined };

const ALL = { demand: 15, waiting: 10, due: 2, active: 3, oldest: 7000 };
const ONLY_ACTIVE = { demand: 3, waiting: 0, due: 0, active: 3, oldest: 0 };

type Case = readonly [
  name: string,
  facts: Partial<DemandFacts>,
  terms: Partial<DemandTerms>,
  demand: object,
];

const open = { openSince: NOW - 5000 };
const breaker = { hasBreaker: true };

const CASES: readonly Case[] = [
  ['counts what waits, is due and runs', {}, {}, ALL],
  ['counts only what runs while paused', { isPaused: true }, {}, ONLY_ACTIVE],
  ['counts only what runs while held', { isHeld: true }, {}, ONLY_ACTIVE],
  [
    'counts only what runs outside of the window',
    {},
    { window: { open: false, changesAt: NOW + 1 } },
    ONLY_ACTIVE,
  ],
  [
    'counts only what runs in a window that never opens',
    {},
    { window: { open: false, changesAt: null } },
    ONLY_ACTIVE,
  ],
  ['counts all within the window', {}, { window: { open: true, changesAt: NOW + 1 } }, ALL],
  ['counts only what runs behind an open breaker', open, breaker, ONLY_ACTIVE],
  ['counts all where the worker has no breaker any more', open, {}, ALL],
  ['counts all while the breaker is closed', {}, breaker, ALL],
  [
    'counts all behind a breaker where clients have pulled since it opened',
    { ...open, claimedAt: NOW - 1000 },
    breaker,
    ALL,
  ],
  [
    'counts only what runs where clients have pulled before it opened',
    { ...open, claimedAt: NOW - 6000 },
    breaker,
    ONLY_ACTIVE,
  ],
  [
    'leaves out jobs behind limits of their groups',
    { waitingBehindLimits: 4, dueBehindLimits: 2 },
    {},
    { demand: 9, waiting: 6, due: 0, active: 3, oldest: 7000 },
  ],
  [
    'has no oldest job where all are behind limits of their groups',
    { waitingBehindLimits: 10, dueBehindLimits: 2 },
    {},
    ONLY_ACTIVE,
  ],
  [
    'takes no age from a clock that is ahead',
    { startableSince: NOW + 10 },
    {},
    { ...ALL, oldest: 0 },
  ],
  ['is nothing where nothing is', { active: 0, waiting: 0, due: 0 }, {}, NO_DEMAND],
];

describe('The demand of a queue', () => {
  for (const [name, facts, terms, demand] of CASES) {
    // holds: demand.rule
    it(name, () => {
      expect(demandOf({ ...BUSY, ...facts }, { ...PLAIN, ...terms })).to.deep.equal(demand);
    });
  }

  // holds: demand.wanted
  it('adds up over queues, and wants workers for what is left over, too', () => {
    const total = totalDemand([ALL, ONLY_ACTIVE, { ...ALL, oldest: 9000 }]);
    expect(total).to.deep.equal({ demand: 33, waiting: 20, due: 4, active: 9, oldest: 9000 });
    expect(totalDemand([])).to.deep.equal(NO_DEMAND);
    const wanted = [1, 10, 11, 33, 34].map((perWorker) => workersWanted(total, perWorker));
    expect(wanted).to.deep.equal([33, 4, 3, 1, 1]);
    expect(workersWanted(NO_DEMAND, 10)).to.equal(0);
  });

  it('is divided by a whole number from 1 up', () => {
    const accepted = [0, 1, 1_000_000, 1_000_001, 1.5, -1].map((each) => {
      return perWorkerShape.accepts(each);
    });
    expect(accepted).to.deep.equal([false, true, true, false, false, false]);
  });
});
