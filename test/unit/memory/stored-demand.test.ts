import { expect } from 'chai';
import { JobsOfGroup } from '../../../src/adapters/outbound/memory/state/jobs-of-group.ts';
import { StoredDemand } from '../../../src/adapters/outbound/memory/state/stored-demand.ts';
import type { StoredGroup } from '../../../src/adapters/outbound/memory/state/stored-group.ts';

describe('StoredDemand', () => {
  // holds: demand.steps
  it('comes to all groups in so many looks when other settings hold, and reads no others before', () => {
    let read = 0;
    const groups = Array.from({ length: 250 }, (_, group): StoredGroup => {
      return { id: `g${group}`, jobs: new JobsOfGroup(), virtualTime: 0, isPaused: false };
    });
    const demand = new StoredDemand(function* () {
      for (const group of groups) {
        read += 1;
        yield group;
      }
      return undefined;
    });
    demand.goBy({ concurrency: 1 });
    const looks = [100, 100, 100, 100].map((most) => [demand.take(0, most).length, read]);
    expect(looks).to.deep.equal([
      [100, 100],
      [100, 200],
      [50, 250],
      [0, 250],
    ]);
  });
});
