import { play } from '../differential/play.ts';
import { SCENES } from '../differential/scenes.ts';
import { BEGINNING, Stores } from '../differential/stores.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { reopenedQueueHarness } from '../support/reopened-queue-harness.ts';
import type { RecordChange } from '../../src/adapters/outbound/memory/records/record.ts';
import { Recording } from './recording.ts';

const PREFIX = 'scene';

/** A key that expires within the play, by the time of the server. */
const BRIEF = /:stalled-check$/;

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
        const keys = JSON.parse(String(await redis.dump?.())) as readonly Key[];
        const shown = keys.filter(([key]) => !BRIEF.test(key)).map(shownKey);
        recording.note(state, sincePlayBegan(shown.toSorted().join('\n')));
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

type Key = readonly [key: string, type: string, value: unknown, doesExpire: boolean];

/** The entries of a key, each on a line: those without an order by their text. */
function shownKey([key, type, value, doesExpire]: Key): string {
  const head = `${type} ${key}${doesExpire ? ', which expires' : ''}`;
  return [head, ...entriesOf(type, value).map((entry) => `  ${entry}`)].join('\n');
}

function entriesOf(type: string, value: unknown): readonly string[] {
  switch (type) {
    case 'hash':
      return Object.entries(value as object)
        .map(([field, text]) => `${field} ${text}`)
        .toSorted();
    case 'set':
      return (value as readonly string[]).toSorted();
    case 'stream':
      // Their ids are by the time of the server.
      return (value as readonly [string, readonly string[]][]).map(([, fields]) =>
        fields.join(' '),
      );
    case 'zset':
      return (value as readonly string[]).flatMap((member, index, all) =>
        index % 2 === 0 ? [`${all[index + 1]} ${member}`] : [],
      );
    default:
      return [value].flat().map(String);
  }
}

/** The text with times of the play as milliseconds since it began. */
function sincePlayBegan(text: string): string {
  return text.replaceAll(/\b176[67]\d{9}\b/g, (time) => `<${Number(time) - BEGINNING} ms>`);
}
