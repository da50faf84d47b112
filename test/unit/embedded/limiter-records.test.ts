import { expect } from 'chai';
import { ChangedRecords } from '../../../src/adapters/outbound/memory/records/changed-records.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { queueNamed } from '../../support/queue-named.ts';

const STARTS = 2000;
const LIMITER = { max: 10_000, duration: 3_600_000 };

/** Characters that a claim may write, regardless of how many starts a limiter counts. */
const MOST_WRITTEN = 4000;

describe('the starts that a limiter counts', () => {
  for (const [of, opts, groups] of [
    ['queue', {}, undefined],
    ['group', { group: { id: 'acme' } }, { limiter: LIMITER }],
  ] as const) {
    it(`of a ${of} are written in pieces of bounded size`, async () => {
      const changed = new ChangedRecords();
      const records = new StoreRecords(changed);
      const { queues, attempts } = memoryQueueHarness('test', new FakeClock(), records);
      const queue = queueNamed('mail');
      await queues.add(queue, new Array(STARTS).fill(newJob({ name: 'n', data: 1, opts }, '')));
      const written = (): number =>
        changed
          .take((kind, name, id) => records.read(kind, name, id))
          .reduce((sum, { value = '' }) => sum + value.length, 0);
      written();
      for (let start = 0; start < STARTS; start += 1) {
        const limiter = groups === undefined ? LIMITER : undefined;
        const claim = await attempts.claim(queue, {
          token: String(start),
          lockDuration: 1000,
          limiter,
          groups,
        });
        expect(claim.kind).to.equal('attempt');
        expect(written(), `start ${start}`).to.be.below(MOST_WRITTEN);
      }
    });
  }
});
