import { expect } from 'chai';
import type { Hook } from '../../src/domain/hooks/hook.ts';
import { plainHook } from '../support/plain-hook.ts';
import { rejection } from '../support/rejection.ts';
import type { QueueHarness } from './queue-harness.ts';

const FULL: Hook = {
  id: 'full',
  url: 'https://example.test/hooks?a=b',
  headers: { Authorization: 'Bearer secret' },
  signing: true,
  secrets: { current: 'whsec_MQ==', former: [{ secret: 'whsec_Mg==', until: 1_700_000_000_000 }] },
  events: ['queue.*', 'job.failed'],
  queues: ['mail-*', '!mail-vip'],
  when: { waiting: 5, failureRate: { over: 0.5, window: 60_000, atLeast: 3 } },
  for: 0,
  repeat: 60_000,
  format: 'slack',
  paused: true,
  pausedReason: 'The receiver answered 410',
  createdAt: 1_700_000_000_000,
  data: true,
};

/** What every HookStorePort promises. */
export function describeHookStorePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`HookStorePort: ${name}`, () => {
    let harness: QueueHarness;

    beforeEach(async () => {
      harness = await createHarness();
    });

    afterEach(() => harness.dispose());

    it('keeps hooks as they are, for all replicas', async () => {
      const { hooks } = harness;
      const other = (await harness.replica()).hooks;
      expect(await hooks.change('full', () => FULL)).to.deep.equal(FULL);
      await other.change('plain', () => plainHook('plain'));
      expect(await other.find('full')).to.deep.equal(FULL);
      expect(await hooks.find('plain')).to.deep.equal(plainHook('plain'));
      expect(await hooks.all()).to.have.deep.members([FULL, plainHook('plain')]);
    });

    it('removes a hook once, and finds none that is not there', async () => {
      const { hooks } = harness;
      await hooks.change('full', () => FULL);
      expect(await hooks.remove('full')).to.equal(true);
      expect(await hooks.remove('full')).to.equal(false);
      expect(await hooks.find('full')).to.equal(undefined);
      expect(await hooks.find('__proto__')).to.equal(undefined);
      expect(await hooks.all()).to.deep.equal([]);
    });

    it('leaves a hook as it is when nothing is to change, or when the change refuses', async () => {
      const { hooks } = harness;
      expect(await hooks.change('full', () => undefined)).to.equal(undefined);
      expect(await hooks.find('full')).to.equal(undefined);
      await hooks.change('full', () => FULL);
      expect(await hooks.change('full', () => undefined)).to.deep.equal(FULL);
      const refusal = new Error('refused');
      const refused = hooks.change('full', () => {
        throw refusal;
      });
      expect(await rejection(refused)).to.equal(refusal);
      expect(await hooks.find('full')).to.deep.equal(FULL);
    });

    it('makes every one of concurrent changes, each of what the one before made', async () => {
      const { hooks } = harness;
      const other = (await harness.replica()).hooks;
      const more = (hook: Hook = plainHook('one')): Hook => ({ ...hook, for: hook.for + 1 });
      const changes = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? hooks : other));
      await Promise.all(changes.map((each) => each.change('one', more)));
      expect(await hooks.find('one')).to.have.property('for', 20);
    });

    // holds: record.unchanged
    it('returns the same object for a hook that has not changed, and another once it has', async () => {
      const { hooks } = harness;
      const other = (await harness.replica()).hooks;
      for (const id of ['one', 'two']) await hooks.change(id, () => plainHook(id));
      const read = async (id: string): Promise<Hook | undefined> =>
        (await other.all()).find((hook) => hook.id === id);
      const [one, two] = [await read('one'), await read('two')];
      await hooks.change('two', (hook) => hook && { ...hook, paused: true });
      expect(await read('one')).to.equal(one);
      expect(await read('two')).to.have.property('paused', true);
      expect(two).to.have.property('paused', false);
    });

    // holds: hooks.most
    it('has at most 100 hooks, which can still change', async () => {
      const { hooks } = harness;
      const other = (await harness.replica()).hooks;
      const ids = Array.from({ length: 100 }, (_, i) => `hook-${i}`);
      await Promise.all(ids.map((id) => hooks.change(id, () => plainHook(id))));
      const refused = await rejection(other.change('one', () => plainHook('one')));
      expect(refused).to.include({ code: 'too-many-hooks', message: 'There are 100 hooks' });
      await other.change('hook-7', (hook) => hook && { ...hook, paused: true });
      expect(await hooks.find('hook-7')).to.have.property('paused', true);
      await hooks.remove('hook-7');
      await other.change('one', () => plainHook('one'));
      expect(await hooks.all()).to.have.lengthOf(100);
    });

    it('shares no objects with those that change a hook', async () => {
      const { hooks } = harness;
      const hook = { ...plainHook('one'), headers: { a: 'b' } };
      await hooks.change('one', () => hook);
      hook.headers.a = 'changed';
      expect(await hooks.find('one')).to.have.deep.property('headers', { a: 'b' });
    });
  });
}
