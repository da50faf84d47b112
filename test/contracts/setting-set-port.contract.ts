import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { SettingName } from '../../src/domain/policies/setting-set.ts';
import type { QueueHarness } from './queue-harness.ts';

/** As many settings as no test has. */
const MANY = 1_000_000;

const ALL = { start: 0, length: 1000 };

const COMMON: SettingName = { kind: 'policy' };
const POLICY: SettingName = { kind: 'policy', queue: 'mail' };
const NIGHTLY: SettingName = { kind: 'scheduler', queue: 'mail', id: 'nightly' };
const HOOK: SettingName = { kind: 'hook', id: 'on-call' };

/** What every SettingSetPort promises. */
export function describeSettingSetPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`SettingSetPort: ${name}`, () => {
    let harness: QueueHarness;

    beforeEach(async () => {
      harness = await createHarness();
    });

    afterEach(() => harness.dispose());

    it('keeps the settings of a set, and of no other, for all replicas', async () => {
      const [set, longer] = [randomUUID(), randomUUID()];
      const { settingSets } = harness;
      const other = (await harness.replica()).settingSets;
      expect(await settingSets.change(set, { add: [NIGHTLY, HOOK, COMMON] }, MANY)).to.equal(3);
      expect(await other.change(longer, { add: [POLICY, NIGHTLY] }, MANY)).to.equal(2);
      expect(await other.list(set, ALL)).to.deep.equal({
        total: 3,
        settings: [HOOK, COMMON, NIGHTLY],
      });
      expect(await settingSets.list(longer, ALL)).to.deep.equal({
        total: 2,
        settings: [POLICY, NIGHTLY],
      });
      expect(await settingSets.list(randomUUID(), ALL)).to.deep.equal({ total: 0, settings: [] });
    });

    it('keeps sets apart of which the name of one begins with that of another', async () => {
      const set = randomUUID();
      const { settingSets } = harness;
      const add = [POLICY];
      for (const each of [set, `${set}.`, `${set}-b`])
        await settingSets.change(each, { add }, MANY);
      expect(await settingSets.list(set, ALL)).to.deep.equal({ total: 1, settings: add });
    });

    it('takes settings out of a set, and keeps those that are also to be added', async () => {
      const set = randomUUID();
      const { settingSets } = harness;
      await settingSets.change(set, { add: [POLICY, HOOK] }, MANY);
      const change = { add: [POLICY, NIGHTLY, NIGHTLY], remove: [POLICY, HOOK, COMMON] };
      expect(await settingSets.change(set, change, MANY)).to.equal(2);
      expect((await settingSets.list(set, ALL)).settings).to.deep.equal([POLICY, NIGHTLY]);
      expect(await settingSets.change(set, { remove: [POLICY, NIGHTLY] }, MANY)).to.equal(0);
      expect(await settingSets.list(set, ALL)).to.deep.equal({ total: 0, settings: [] });
    });

    it('lists page by page, in the byte order of kinds, queues and ids', async () => {
      const set = randomUUID();
      const { settingSets } = harness;
      const queues = ['b', '\u{1f680}', 'a', '\uffee', 'ä'];
      const add = queues.map((queue) => ({ kind: 'worker', queue }) as const);
      await settingSets.change(set, { add }, MANY);
      const found: (string | undefined)[] = [];
      for (let start = 0; start < 6; start += 2) {
        const page = await settingSets.list(set, { start, length: 2 });
        expect(page.total).to.equal(5);
        found.push(...page.settings.map(({ queue }) => queue));
      }
      expect(found).to.deep.equal(['a', 'b', 'ä', '\uffee', '\u{1f680}']);
      expect((await settingSets.list(set, { start: 0, length: 0 })).settings).to.deep.equal([]);
    });

    // holds: settings.bounds
    it('changes nothing when all sets would have too many settings', async () => {
      const [set, other] = [randomUUID(), randomUUID()];
      const { settingSets } = harness;
      await settingSets.change(other, { add: [POLICY] }, MANY);
      const full = { add: [COMMON, HOOK, NIGHTLY] };
      expect(await settingSets.change(set, full, 3)).to.equal(undefined);
      expect((await settingSets.list(set, ALL)).total).to.equal(0);
      expect(await settingSets.change(set, { add: [COMMON, HOOK] }, 3)).to.equal(2);
      expect(await settingSets.change(set, { add: [COMMON] }, 3)).to.equal(2);
      expect(await settingSets.change(set, { add: [NIGHTLY], remove: [HOOK] }, 3)).to.equal(2);
      // More settings than the bound allows, which an earlier version may have had, can be taken out.
      expect(await settingSets.change(set, { remove: [COMMON] }, 1)).to.equal(1);
    });
  });
}
