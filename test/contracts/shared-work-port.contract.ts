import { expect } from 'chai';
import type { SharedWork } from '../../src/application/ports/shared-work-port.ts';
import type { QueueHarness } from './queue-harness.ts';

const WORK: readonly SharedWork[] = ['hook-look', 'ended-sweep', 'payload-sweep'];

/** What every SharedWorkPort promises. */
export function describeSharedWorkPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`SharedWorkPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    for (const work of WORK) {
      // holds: retention.replicas, payloads.replicas
      it(`gives the ${work} to one of all replicas in each interval`, async () => {
        const { sharedWork } = harness;
        const other = (await harness.replica()).sharedWork;
        const claims = [sharedWork, other, sharedWork, other].map((each) => each.claim(work, 1000));
        expect((await Promise.all(claims)).filter((claimed) => claimed)).to.have.length(1);
        expect(await other.claim(work, 1000)).to.equal(false);
        await harness.advance(1000);
        expect(await other.claim(work, 1000)).to.equal(true);
        expect(await sharedWork.claim(work, 1000)).to.equal(false);
      });
    }
  });
}
