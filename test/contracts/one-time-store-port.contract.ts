import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { QueueHarness } from './queue-harness.ts';

const CONTENT = { queues: ['mail-*', '!mail-vip'], expires: 1, none: null };

/** What every OneTimeStorePort promises. */
export function describeOneTimeStorePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`OneTimeStorePort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    const save = (secret: string, owner = 'one', most = 1000): Promise<void> =>
      harness.oneTime.save(secret, CONTENT, { owner, life: 60_000, most });

    // holds: tickets.once, mcp.code-once, sign-in.try
    it('gives a secret to one of all who take it, on whatever replica', async () => {
      const other = await harness.replica();
      const secret = randomUUID();
      await save(secret);
      const taken = await Promise.all(
        [harness, other, harness, other].map(({ oneTime }) => oneTime.take(secret)),
      );
      expect(taken.filter((content) => content !== undefined)).to.deep.equal([CONTENT]);
      expect(await other.oneTime.take(randomUUID())).to.equal(undefined);
    });

    // holds: tickets.time, mcp.code-time, sign-in.try
    it('forgets a secret after its time', async () => {
      const [early, late] = [randomUUID(), randomUUID()];
      await save(early);
      await save(late, 'two');
      await harness.advance(50_000);
      expect(await harness.oneTime.take(early)).to.deep.equal(CONTENT);
      await harness.advance(10_000);
      expect(await harness.oneTime.take(late)).to.equal(undefined);
    });

    // holds: tickets.bounds, mcp.code-bounds
    it('ends the oldest secrets of an owner beyond the most that it may have', async () => {
      const [owner, another] = [randomUUID(), randomUUID()];
      const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
      for (const secret of [first, second, third]) {
        await save(secret, owner, 2);
        await harness.advance(1);
      }
      const other = randomUUID();
      await save(other, another, 2);
      const taken = await Promise.all(
        [first, second, third, other].map((secret) => harness.oneTime.take(secret)),
      );
      expect(taken.map((content) => content !== undefined)).to.deep.equal([
        false,
        true,
        true,
        true,
      ]);
    });
  });
}
