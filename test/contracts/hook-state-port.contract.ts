import { expect } from 'chai';
import { stateOf, type HookState } from '../../src/domain/hooks/hook-state.ts';
import { queueNamed } from '../support/queue-named.ts';
import type { QueueHarness } from './queue-harness.ts';

const queue = queueNamed('mail');

const FULL: HookState = {
  createdAt: 1_700_000_000_000,
  version: 7,
  conditions: {
    'queue.late': [{ queue, since: 1_700_000_000_001, reportedAt: 1_700_000_000_002 }],
    'worker.open': [{ queue: queueNamed('__proto__'), since: 5 }],
  },
  missed: [{ queue, scheduler: 'nightly', slot: 1_700_000_000_003 }],
  schedulersSeenAt: 1_700_000_000_004,
  lookedAt: 1_700_000_000_005,
  outbox: [{ id: 'one.1.7.0', message: { kind: 'test', type: 'hook.test', at: 1 } }],
};

function more(state: HookState | undefined): HookState {
  const { version, ...others } = stateOf({ createdAt: 1 }, state);
  return { ...others, version: version + 1 };
}

/** What every HookStatePort promises. */
export function describeHookStatePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`HookStatePort: ${name}`, () => {
    let harness: QueueHarness;

    beforeEach(async () => {
      harness = await createHarness();
    });

    afterEach(() => harness.dispose());

    it('keeps states as they are, for all replicas', async () => {
      const { hookStates } = harness;
      const other = (await harness.replica()).hookStates;
      expect(await hookStates.change('one', () => FULL)).to.deep.equal(FULL);
      expect(await other.find('one')).to.deep.equal(FULL);
      expect(await other.ids()).to.deep.equal(['one']);
      expect(await other.find('__proto__')).to.equal(undefined);
    });

    it('leaves a state as it is when nothing is to change', async () => {
      const { hookStates } = harness;
      expect(await hookStates.change('one', () => undefined)).to.equal(undefined);
      expect(await hookStates.ids()).to.deep.equal([]);
      await hookStates.change('one', () => FULL);
      expect(await hookStates.change('one', () => undefined)).to.deep.equal(FULL);
    });

    it('makes every one of concurrent changes, each of what the one before made', async () => {
      const { hookStates } = harness;
      const other = (await harness.replica()).hookStates;
      const changes = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? hookStates : other));
      await Promise.all(changes.map((each) => each.change('one', more)));
      expect(await hookStates.find('one')).to.have.property('version', 20);
    });

    it('removes a state once', async () => {
      const { hookStates } = harness;
      await hookStates.change('one', () => FULL);
      expect(await hookStates.remove('one')).to.equal(true);
      expect(await hookStates.remove('one')).to.equal(false);
      expect(await hookStates.find('one')).to.equal(undefined);
      expect(await hookStates.ids()).to.deep.equal([]);
    });

    it('lets one of all replicas look in each interval', async () => {
      const { hookStates } = harness;
      const other = (await harness.replica()).hookStates;
      const claims = [hookStates, other, hookStates, other].map((each) => each.claimLook(1000));
      expect((await Promise.all(claims)).filter((claimed) => claimed)).to.have.length(1);
      expect(await other.claimLook(1000)).to.equal(false);
      await harness.advance(1000);
      expect(await other.claimLook(1000)).to.equal(true);
      expect(await hookStates.claimLook(1000)).to.equal(false);
    });
  });
}
