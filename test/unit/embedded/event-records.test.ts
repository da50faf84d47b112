import { expect } from 'chai';
import fc from 'fast-check';
import { ChangedRecords } from '../../../src/adapters/outbound/memory/records/changed-records.ts';
import { KeptValues } from '../../../src/adapters/outbound/memory/records/kept-values.ts';
import {
  eventsOf,
  lastOf,
  writtenEvents,
  type StoredEvent,
  type WrittenEvent,
} from '../../../src/adapters/outbound/memory/records/event-record.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import { BEFORE_EVENTS } from '../../../src/domain/events/event-id.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { queueNamed } from '../../support/queue-named.ts';

/** Each job has two events, so that the oldest ones are dropped after a few of these batches. */
const BATCH = 1000;
const BATCHES = 10;

/** Characters of events that may be written for each job. */
const MOST_PER_JOB = 300;

const QUEUE = queueNamed('mail');

/** Events as earlier versions wrote them. */
const OLD: readonly StoredEvent[] = [
  ...(['completed', 'failed', 'waiting'] as const).map((name, index) => ({
    id: `1-${index}`,
    timestamp: 1,
    name,
    jobId: '1',
    group: undefined,
    detail: name === 'waiting' ? undefined : JSON.stringify('x'.repeat(5000)),
  })),
];

describe('the events of a queue', () => {
  it('have no more of the values of earlier versions than events carry', async () => {
    const details = new KeptValues();
    details.readFrom({
      find: (groups) => Promise.resolve(groups.map(() => [JSON.stringify(OLD)])),
    });
    const records = new StoreRecords(undefined, details);
    const { store, events } = memoryQueueHarness('test', new FakeClock(), records);
    const kept = async (): Promise<readonly unknown[]> => {
      const read = await events.read(QUEUE, BEFORE_EVENTS);
      return read.events.map((event) => 'data' in event && event.data);
    };
    const data = { queue: QUEUE, timestamp: 1, jobId: '1' };
    const expected = [data, { ...data, failedReason: `"${'x'.repeat(1023)}` }, data];
    records.restore('events', QUEUE, '1-0', OLD);
    store.restored();
    expect(await kept()).to.deep.equal(expected);
    records.replace('events', QUEUE, '1-0', OLD);
    expect(await kept()).to.deep.equal(expected);
  });

  it('are read as they were, whatever follows what', () => {
    const event = fc.record({
      id: fc.tuple(fc.integer({ min: 7, max: 8 }), fc.integer({ min: 0, max: 3 })),
      timestamp: fc.integer({ min: 6, max: 8 }),
      name: fc.constantFrom('added', 'waiting', 'paused', 'gap'),
      jobId: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
      group: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      detail: fc.option(fc.constantFrom('work', 5), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(event, { minLength: 1 }), (drawn) => {
        const events = drawn.map(({ id, ...rest }) => ({ id: id.join('-'), ...rest }));
        const first = events[0]?.id ?? '';
        const written = JSON.stringify(writtenEvents(first, events));
        const parsed = JSON.parse(written) as WrittenEvent[];
        expect(JSON.stringify(eventsOf(first, parsed))).to.equal(JSON.stringify(events));
        expect(lastOf(first, parsed)).to.equal(events.at(-1)?.id);
      }),
    );
  });

  it('are written once, also as the oldest ones are dropped', async () => {
    const changed = new ChangedRecords();
    const records = new StoreRecords(changed);
    const { queues } = memoryQueueHarness('test', new FakeClock(), records);
    const written = (): number =>
      changed
        .take((kind, name, id) => records.read(kind, name, id))
        .filter(({ kind }) => kind === 'events')
        .reduce((sum, { value = '' }) => sum + value.length, 0);
    const add = async (size: number): Promise<void> => {
      await queues.add(QUEUE, new Array(size).fill(newJob({ name: 'n', data: 1 }, '')));
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
