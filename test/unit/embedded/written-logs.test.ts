import { expect } from 'chai';
import { ChangedRecords } from '../../../src/adapters/outbound/memory/records/changed-records.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import { addOne, logsOf, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';

const LINES = 2000;

describe('a log on a disk', () => {
  // holds: log.lines, store.fair-steps
  it('writes little for each line, however long it is', async () => {
    const changed = new ChangedRecords();
    const records = new StoreRecords(changed);
    const { queues, attempts } = memoryQueueHarness('test', new FakeClock(), records);
    const queue = uniqueQueue();
    await addOne(queues, queue);
    const { job, token } = await take(attempts, queue);
    let largest = 0;
    for (let line = 0; line < LINES; line += 1) {
      await attempts.addLog(queue, { jobId: job.id, token }, String(line).padEnd(1000, 'x'));
      let size = 0;
      for (const { value } of changed.take((...key) => records.read(...key))) {
        size += value?.length ?? 0;
      }
      changed.written();
      if (line > 0) largest = Math.max(largest, size);
    }
    expect(largest).to.be.lessThan(20_000);
    const { count, logs } = (await logsOf(queues, queue, job.id, 0, LINES))!;
    expect(count).to.equal(1000);
    expect(logs.map((line) => parseInt(line, 10))).to.deep.equal(
      Array.from({ length: 1000 }, (_, index) => 1000 + index),
    );
  });
});
