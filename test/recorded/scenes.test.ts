import { play } from '../differential/play.ts';
import { SCENES } from '../differential/scenes.ts';
import { BEGINNING, Stores } from '../differential/stores.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { reopenedQueueHarness } from '../support/reopened-queue-harness.ts';
import type { RecordChange } from '../../src/adapters/outbound/memory/records/record.ts';
import { Recording } from './recording.ts';
import { shownKeys } from './shown-keys.ts';

const PREFIX = 'scene';

/** A key that expires within the play, by the time of the server. */
const BRIEF = ':stalled-check';

describe('the scenes of the play', () => {
  let stores: Stores;

  before(async () => {
    stores = await Stores.open();
  });
  after(() => stores.close());

  it('leave the recorded keys in Redis', async () => {
    const recording = new Recording('scenes-in-redis');
    for (const [state, script] of Object.entries(SCENES)) {
      const redis = await stores.redis(PREFIX);
      try {
        await play(script, { redis });
        const dump = (await redis.dump?.()) ?? Buffer.from('[]');
        const keys = shownKeys(dump, sincePlayBegan).filter(([key]) => !key.includes(BRIEF));
        recording.note(
          state,
          keys
            .flatMap(([key, entries]) => [key, ...entries.map((entry) => `  ${entry}`)])
            .join('\n'),
        );
      } finally {
        await redis.dispose();
      }
    }
    recording.expectUnchanged();
  }).timeout(60_000);

  it('leave the recorded records in the embedded store', async () => {
    const recording = new Recording('scenes-on-disk');
    for (const [state, script] of Object.entries(SCENES)) {
      let records: readonly RecordChange[] = [];
      const harness = reopenedQueueHarness(PREFIX, new FakeClock(BEGINNING), (written) => {
        records = written.all;
      });
      await play(script, { embedded: harness });
      const shown = records.map(
        ({ kind, queue, id, value }) => `${kind} ${queue} ${id}\n  ${value}`,
      );
      recording.note(state, sincePlayBegan(shown.join('\n')));
    }
    recording.expectUnchanged();
  }).timeout(60_000);
});

/** The text with times of the play as milliseconds since it began. */
function sincePlayBegan(text: string): string {
  return text.replaceAll(/\b176[67]\d{9}\b/g, (time) => `<${Number(time) - BEGINNING} ms>`);
}
