import { expect } from 'chai';
import { ChangedRecords } from '../../../src/adapters/outbound/memory/records/changed-records.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { queueNamed } from '../../support/queue-named.ts';

/** Each job has two events, so that the oldest ones are dropped after a few of these batches. */
const BATCH = 1000;
const BATCHES = 10;

/** Characters of events that may be written for each job. */
const MOST_PER_JOB = 300;

describe('the events of a queue', () => {
  it('are written once, also as the oldest ones are dropped', async () => {
    const changed = new ChangedRecords();
    const records = new StoreRecords(changed);
    const { queues } = memoryQueueHarness('test', new FakeClock(), records);
    const queue = queueNamed('mail');
    const written = (): number =>
      changed
        .take((kind, name, id) => records.read(kind, name, id))
        .filter(({ kind }) => kind === 'events')
        .reduce((sum, { value = '' }) => sum + value.length, 0);
    const add = async (size: number): Promise<void> => {
      await queues.add(queue, new Array(size).fill(newJob({ name: 'n', data: 1 }, '')));
    };
    for (let batch = 0; batch < BATCHES; batch += 1) {
      await add(BATCH);
      written();
    }
    let characters = 0;
    for (let single = 0; single < BATCH; single += 1) {
      await add(1);
      characters += written();
    }
    expect(characters / BATCH).to.be.below(MOST_PER_JOB);
  });
});
