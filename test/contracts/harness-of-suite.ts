import type { QueueHarness } from './queue-harness.ts';

/**
 * One harness for all tests of the suite that calls this: made before the first one, disposed of after the last.
 *
 * A test that timed out goes on in the background. The clock of the harness then belongs to the next test, so
 * `advance` rejects for every test but the running one.
 */
export function harnessOfSuite(create: () => Promise<QueueHarness>): () => QueueHarness {
  let harness: QueueHarness;
  let ended = 0;

  before(async () => {
    harness = await create();
  });

  afterEach(async () => {
    ended += 1;
    await harness.clear?.();
  });

  after(() => harness.dispose());

  return () => {
    const [whole, test] = [harness, ended];
    return {
      ...whole,
      advance: (ms) =>
        test === ended ? whole.advance(ms) : Promise.reject(new Error('The test has ended')),
    };
  };
}
