import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { FamilyCancelling } from '../../../src/application/flows/family-cancelling.ts';
import { BulkRepairs } from '../../../src/application/jobs/bulk-repairs.ts';
import { flowJobShape, newFlow, type NewFlowJob } from '../../../src/domain/flows/flow.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { memoryStores } from '../../support/memory-stores.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { unobserved } from '../../support/unobserved.ts';

const QUEUE = queueNamed('mail');
const JOBS = 1000;

const unbounded = (): undefined => undefined;

describe('a request that changes many jobs of a store in memory', () => {
  const clock = new SystemClock();
  const stores = memoryStores(clock);
  const parts = {
    ...stores,
    scan: stores.jobScan,
    control: stores.jobControl,
    observer: unobserved,
    clock,
  };

  /** How many turns of the event loop others had until it was done. */
  async function turnsUntil(done: Promise<unknown>): Promise<number> {
    const state = { turns: 0, isDone: false };
    const ended = done.finally(() => (state.isDone = true));
    while (!state.isDone) {
      await turn();
      state.turns += 1;
    }
    await ended;
    return state.turns;
  }

  // holds: store.fair-steps
  it('gives others their turn while it cancels them', async () => {
    await stores.queues.add(
      QUEUE,
      Array.from({ length: JOBS }, () => ({
        name: 'send',
        data: null,
        opts: { attempts: 1, delay: 0 },
      })),
    );
    const repair = new BulkRepairs(parts).repair(QUEUE, 'cancel', { all: true, limit: JOBS });
    expect(await turnsUntil(repair)).to.be.at.least(JOBS / 50);
    expect((await repair).done).to.equal(JOBS);
  });

  // holds: store.fair-steps
  it('gives others their turn while it cancels a family', async () => {
    const child = { queue: QUEUE, name: 'send', data: null };
    const input = { ...child, children: Array.from({ length: JOBS }, () => child) };
    const flow = newFlow(input, flowJobShape(queueName({ min: 1, max: 100 })), unbounded, 'family');
    await stores.flows.add(flow, unbounded);
    const { queue, id } = flow[0] as NewFlowJob;
    const cancel = new FamilyCancelling(parts).cancel({ queue, id }, 'Too late');
    expect(await turnsUntil(cancel)).to.be.at.least(JOBS / 50);
    expect((await cancel).kind).to.equal('done');
  });
});
