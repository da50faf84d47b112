import { expect } from 'chai';
import {
  restoredJob,
  writtenJob,
  type WrittenJob,
} from '../../../src/adapters/outbound/memory/records/job-record.ts';
import { NO_HISTORY } from '../../../src/adapters/outbound/memory/records/job-history.ts';
import { StoredJob } from '../../../src/adapters/outbound/memory/state/stored-job.ts';
import type { IndexedJob } from '../../../src/domain/records/job-record.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';

type Field = Exclude<keyof IndexedJob, 'id' | 'name' | 'timestamp' | 'position'>;

/** Every field of a job that has not ended, with a value that no blank job has. */
const FIELDS: { readonly [Name in Field]: NonNullable<IndexedJob[Name]> } = {
  status: 'active',
  finishedOn: 1,
  group: { id: 'customer' },
  deduplicationId: 'once',
  schedulerId: 'nightly',
  parent: { queue: 'parents' as QueueName, id: 'parent', onFailure: 'fail' },
  priority: 2,
  lifo: true,
  cost: 3,
  groupPosition: { rank: 4, order: 5 },
  attemptsStarted: 6,
  attemptsMade: 7,
  delay: 8,
  firstDelay: 9,
  processedOn: 10,
  processedBy: 'replica',
  lock: { token: 'token', expiresAt: Infinity, isCalled: true },
  acceptance: { token: 'token', isReceived: true, since: 11, until: 12, foundUntil: 13 },
  limits: { call: 'call', names: ['shared'] },
  suspect: true,
  stalledCount: 14,
  returned: { started: 15, starts: 16 },
  mustFail: 'failed by a child',
  expiresAt: 17,
  deferrals: 18,
  suspensions: 19,
  lastStep: 20,
  suspension: { waits: [{ name: 'payment', kind: 'signal', key: 'paid' }], arrived: [] },
  half: 'first',
  goesAlone: true,
  isParent: true,
  calledBack: { run: 21, at: 22 },
  redactedOn: 23,
};

describe('The record of a job', () => {
  for (const [name, value] of Object.entries(FIELDS)) {
    // holds: store.records
    it(`keeps its ${name}`, () => {
      const job = new StoredJob('1', 'send', 24, { data: '{}', opts: '{}', history: NO_HISTORY });
      job.position = { rank: 25, order: 26 };
      job.write({ [name]: value });
      const written = JSON.parse(JSON.stringify(writtenJob(job))) as WrittenJob;
      const restored = restoredJob(written, (text) => text);
      expect(restored).to.include({ id: '1', name: 'send', timestamp: 24 });
      expect(restored.place).to.deep.equal({ rank: 25, order: 26 });
      expect(restored[name as Field]).to.deep.equal(value);
    });
  }
});
