import type {
  QueueDirectoryPort,
  QueueGlance,
} from '../../../../application/ports/queue-directory-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../domain/values/shape.ts';
import { literally } from '../connection/key-scan.ts';
import { inPieces } from '../connection/in-pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { queueSummary } from '../layout/queue-summary.ts';
import { stopOf } from '../layout/stop-text.ts';
import { listQueues, readQueues, type GlanceAnswer } from '../scripts/reading.ts';
import { registerQueues } from '../scripts/adds.ts';
import { KeySearch } from './key-search.ts';

/** How many names one run lists, and how many queues one run reads, in two milliseconds at most. */
const NAMES_PER_RUN = 2500;
const QUEUES_PER_RUN = 50;

/** The end of the key of a queue's metadata. */
const METADATA = ':meta';

/** The queues of one prefix. Their names are in a sorted set, which the scripts that create queues write to. */
export class RedisQueueDirectory implements QueueDirectoryPort {
  readonly #store: StoreCommands;
  readonly #search: KeySearch;

  /** @param name the shape of the names that clients may use: queues with other names are not looked up. */
  constructor(store: StoreCommands, name: Shape<QueueName>) {
    this.#store = store;
    const start = `${store.prefix}:`;
    const pattern = `${literally(start)}*${METADATA}`;
    this.#search = new KeySearch(store.client, pattern, (keys) => {
      const names = keys.map((key) => key.slice(start.length, -METADATA.length));
      return this.#register(names.filter((each) => name.accepts(each)));
    });
  }

  async names(): Promise<readonly QueueName[]> {
    const names: string[] = [];
    for (let from = '-'; ;) {
      const args = { from, most: NAMES_PER_RUN };
      const [piece, last] = await this.#store.callOfAll(listQueues, args);
      if (piece !== '') names.push(...piece.split('\n'));
      if (last === null) return names as QueueName[];
      from = `(${last}`;
    }
  }

  async glances(queues: readonly QueueName[]): Promise<readonly (QueueGlance | undefined)[]> {
    const read = (names: readonly QueueName[]) => this.#store.callOfAll(readQueues, {}, names);
    return (await inPieces(queues, QUEUES_PER_RUN, read)).map(glanceOf);
  }

  discover(): Promise<void> {
    return this.#store.run(() => this.#search.run());
  }

  async #register(names: readonly string[]): Promise<void> {
    if (names.length > 0) await this.#store.callOfAll(registerQueues, {}, names);
  }
}

function glanceOf(answer: GlanceAnswer): QueueGlance | undefined {
  if (answer === null) return undefined;
  const [isPaused, summary, suspended, pause] = answer;
  const known = { isPaused: isPaused === 1, suspended, ...queueSummary(summary) };
  const glance = { ...known, ...(pause !== '' && { pause: stopOf(pause) }) };
  if (answer.length === 4) return glance;
  const [, , , , since, until, by, stop] = answer;
  return { ...glance, hold: { since, until, by, ...(stop !== '' && { stop: stopOf(stop) }) } };
}
