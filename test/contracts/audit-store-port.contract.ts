import { expect } from 'chai';
import type { AuditEntry } from '../../src/domain/audit/audit-entry.ts';
import type { QueueHarness } from './queue-harness.ts';

/** As many as the stores of the harnesses keep. */
const KEPT = 10;

function entryOf(number: number, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: `entry-${String(number).padStart(3, '0')}`,
    at: number,
    who: { id: 'environment:1', name: 'environment:1', via: 'token' },
    address: '127.0.0.1',
    action: 'queue.pause',
    target: { queue: 'mail' },
    detail: {},
    outcome: 'started',
    status: null,
    requestId: 'one',
    ...more,
  };
}

/** What every AuditStorePort promises. */
export function describeAuditStorePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`AuditStorePort: ${name}`, () => {
    let harness: QueueHarness;

    beforeEach(async () => {
      harness = await createHarness();
    });
    afterEach(() => harness.dispose());

    const save = async (...numbers: readonly number[]): Promise<void> => {
      for (const number of numbers) await harness.audit.save(entryOf(number));
    };
    const latest = async (before?: string, count = 100): Promise<readonly number[]> => {
      const { audit } = await harness.replica();
      return (await audit.latest(before, count)).map(({ at }) => at);
    };

    it('lists entries newest first, in pieces', async () => {
      await save(1, 3, 2);
      expect(await latest()).to.deep.equal([3, 2, 1]);
      expect(await latest(undefined, 2)).to.deep.equal([3, 2]);
      expect(await latest('entry-002')).to.deep.equal([1]);
      expect(await latest('entry-0025')).to.deep.equal([2, 1]);
      expect(await latest('entry-001')).to.deep.equal([]);
    });

    it('replaces an entry as a whole', async () => {
      await save(1);
      const completed = entryOf(1, { outcome: 'ok', status: 200, detail: { removed: 5 } });
      await harness.audit.save(completed);
      expect(await harness.audit.latest(undefined, 100)).to.deep.equal([completed]);
    });

    it('removes an entry, and does not mind if it is gone', async () => {
      await save(1, 2);
      await harness.audit.remove('entry-001');
      await harness.audit.remove('entry-001');
      expect(await latest()).to.deep.equal([2]);
    });

    // holds: audit.kept
    it('keeps the latest', async () => {
      await save(...Array.from({ length: KEPT + 5 }, (_, index) => index));
      expect(await latest()).to.deep.equal([14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
    });
  });
}
