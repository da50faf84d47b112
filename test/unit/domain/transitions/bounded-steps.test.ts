import { expect } from 'chai';
import sinon from 'sinon';
import type { StoredQueue } from '../../../../src/adapters/outbound/memory/state/stored-queue.ts';
import { rememberAdd } from '../../../../src/domain/transitions/add-once.ts';
import { addJobs } from '../../../../src/domain/transitions/add.ts';
import { claim } from '../../../../src/domain/transitions/claim.ts';
import { nextTurn } from '../../../../src/domain/transitions/groups/next-group.ts';
import { takePart } from '../../../../src/domain/transitions/groups/turns.ts';
import { forgetTurns } from '../../../../src/domain/transitions/groups/waiting.ts';
import { reportEnding } from '../../../../src/domain/transitions/settle.ts';
import { ANY, claimOf, COMPLETED, jobOf } from '../../../contracts/queue-steps.ts';
import { queueState } from '../../../support/queue-state.ts';

const NOW = 1000;
const LATER = 2000;
const MANY = 2500;
const PARTS = Array.from({ length: MANY }, (_, number) => `p${number}`);

describe('a step that finds 2,500 of something', () => {
  let queue: StoredQueue;

  beforeEach(() => {
    queue = queueState();
  });
  afterEach(() => {
    sinon.restore();
  });

  const look = (): boolean => nextTurn(queue, { concurrency: 1 }, LATER) !== undefined;

  it('fails 100 expired jobs with a claim, which is made again at once', () => {
    const jobs = PARTS.slice(0, 150).map(() => jobOf({ ttl: 1 }));
    addJobs(queue, [...jobs, jobOf()], {}, NOW);
    const idle = { kind: 'idle', nextAt: LATER };
    expect(claim(queue, claimOf(ANY), LATER)).to.deep.equal(idle);
    expect(queue.jobs.in.failed.size).to.equal(100);
    expect(claim(queue, claimOf(ANY), LATER)).to.have.property('kind', 'attempt');
    expect(queue.jobs.in.failed.size).to.equal(150);
  });

  for (const [call, batch] of [
    ['one job', undefined],
    ['several jobs', { by: 'queue' }],
  ] as const) {
    it(`moves 1,000 due jobs with a claim for ${call}`, () => {
      addJobs(
        queue,
        PARTS.map(() => jobOf({ delay: 1, priority: 7 })),
        {},
        NOW,
      );
      expect(claim(queue, claimOf({ ...ANY, batch }), LATER)).to.have.property('kind', 'attempt');
      expect(queue.jobs.in.delayed.size).to.equal(1500);
    });
  }

  it('forgets 1,000 whose time is over: starts of groups, holds, deduplication ids, reports and adds', () => {
    const { groups, deduplications, reports, adds } = queue;
    for (const id of PARTS) {
      groups.openWindow(groups.open(id));
      groups.windows.set(groups.open(id), NOW);
      groups.holds.set(groups.open(id), NOW);
      deduplications.put(id, { standing: { jobId: id, endsAt: NOW } });
      reports.put(id, { jobId: id, report: 'completed', until: NOW } as never);
      adds.put(id, { body: '', defaults: {}, timestamp: -1e9, firstId: 1, existing: new Map() });
    }
    look();
    expect([groups.windows.size, groups.holds.size]).to.deep.equal([1500, 1500]);
    const [job] = addJobs(queue, [jobOf()], {}, LATER);
    expect([...deduplications.ids()]).to.have.lengthOf(1500);
    claim(queue, { ...claimOf(ANY), token: 'own' }, LATER);
    reportEnding(queue, { jobId: job!.id, token: 'own' }, COMPLETED, LATER);
    const known = PARTS.filter((token) => reports.find(token) !== undefined);
    expect(known).to.have.lengthOf(1500);
    const add = { body: '', defaults: {}, timestamp: LATER, firstId: 1, existing: new Map() };
    rememberAdd(adds, 'own', add, LATER);
    expect([...adds.ids()]).to.have.lengthOf(1501);
  });

  // holds: groups.steps
  it('looks at no group that is held when all groups begin anew', () => {
    const { groups } = queue;
    for (const id of PARTS) groups.holds.set(groups.open(id), LATER);
    takePart(groups, groups.open('ready'));
    const looks = sinon.spy(groups, 'jobsOf');
    forgetTurns(queue);
    expect(looks.callCount).to.equal(1);
    expect(groups.find('ready')).to.equal(undefined);
  });
});
