import type {
  QueueDirectoryPort,
  QueueGlance,
} from '../../../../application/ports/queue-directory-port.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { Holder } from '../../../../domain/queues/hold.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../domain/values/shape.ts';
import { literally } from '../connection/key-scan.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import { severalAtOnce } from '../../../../application/running/several-at-once.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { registryKey } from '../layout/queue-keys.ts';
import { queueSummary, type SummaryAnswer } from '../layout/queue-summary.ts';
import { luaScript } from '../lua/load.ts';
import type { Script } from '../lua/script.ts';
import { KeySearch } from './key-search.ts';

const listQueuesScript = luaScript('list-queues');
const readQueuesScript = luaScript('read-queues');
const registerQueuesScript = luaScript('register-queues');

/** How many names one run lists, and how many queues one run reads, in two milliseconds at most. */
const NAMES_PER_RUN = 2500;
const QUEUES_PER_RUN = 50;

/** How many of these runs are in progress at a time. */
const RUNS_AT_ONCE = 4;

/** The end of the key of a queue's metadata. */
const METADATA = ':meta';

type NamesAnswer = readonly [names: string, last: string | null];

type GlanceAnswer =
  | readonly [isPaused: number, summary: SummaryAnswer]
  | readonly [isPaused: number, summary: SummaryAnswer, since: number, until: number, by: Holder]
  | null;

/** The queues of one prefix. Their names are in a sorted set, which the scripts that create queues write to. */
export class RedisQueueDirectory implements QueueDirectoryPort {
  readonly #commands: StoreCommands;
  readonly #registry: string;
  /** The part before the name of a queue in its keys. */
  readonly #start: string;
  readonly #search: KeySearch;

  /** @param name the shape of the names that clients may use: queues with other names are not looked up. */
  constructor(commands: StoreCommands, prefix: string, name: Shape<QueueName>) {
    this.#commands = commands;
    this.#registry = registryKey(prefix);
    this.#start = `${prefix}:`;
    const pattern = `${literally(this.#start)}*${METADATA}`;
    this.#search = new KeySearch(commands.client, pattern, (keys) => {
      const names = keys.map((key) => key.slice(this.#start.length, -METADATA.length));
      return this.#register(names.filter((each) => name.accepts(each)));
    });
  }

  async names(): Promise<readonly QueueName[]> {
    const names: string[] = [];
    for (let start = '-'; ;) {
      const [piece, last] = (await this.#run(listQueuesScript, [
        start,
        NAMES_PER_RUN,
      ])) as NamesAnswer;
      if (piece !== '') names.push(...piece.split('\n'));
      if (last === null) return names as QueueName[];
      start = `(${last}`;
    }
  }

  async glances(queues: readonly QueueName[]): Promise<readonly (QueueGlance | undefined)[]> {
    const pieces = piecesOf(queues, QUEUES_PER_RUN);
    const answers = await severalAtOnce(pieces, RUNS_AT_ONCE, (names) =>
      this.#run(readQueuesScript, names),
    );
    return (answers as readonly (readonly GlanceAnswer[])[]).flat().map(glanceOf);
  }

  discover(): Promise<void> {
    return this.#commands.errors.run(() => this.#search.run());
  }

  async #register(names: readonly string[]): Promise<void> {
    if (names.length > 0) await this.#run(registerQueuesScript, names);
  }

  #run(script: Script, args: readonly ScriptArgument[]): Promise<unknown> {
    return this.#commands.scripts.run(script, [this.#registry], [this.#start, ...args]);
  }
}

function glanceOf(answer: GlanceAnswer): QueueGlance | undefined {
  if (answer === null) return undefined;
  const [isPaused, summary] = answer;
  const glance = { isPaused: isPaused === 1, ...queueSummary(summary) };
  if (answer.length === 2) return glance;
  const [, , since, until, by] = answer;
  return { ...glance, hold: { since, until, by } };
}
