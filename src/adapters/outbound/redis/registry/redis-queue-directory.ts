import type {
  QueueDirectoryPort,
  QueueGlance,
} from '../../../../application/ports/queue-directory-port.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { Shape } from '../../../../domain/shape.ts';
import { literally } from '../connection/key-scan.ts';
import type { Script, ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { queueSummary, type SummaryAnswer } from '../jobs/queue-summary.ts';
import { registryKey } from '../layout/queue-keys.ts';
import { KeySearch } from './key-search.ts';
import { listQueuesScript, readQueuesScript, registerQueuesScript } from './registry-scripts.ts';

/** Names that one run looks at, and queues that one run reads: a run takes two milliseconds at most. */
const NAMES_PER_RUN = 1000;
const QUEUES_PER_RUN = 50;

/** What the key of a queue's metadata ends with. */
const METADATA = ':meta';

type GlanceAnswer = readonly [isPaused: number, summary: SummaryAnswer, heldUntil: number] | null;

/** The queues of one prefix. Their names are in a sorted set, which the scripts that create queues write to. */
export class RedisQueueDirectory implements QueueDirectoryPort {
  readonly #commands: StoreCommands;
  readonly #registry: string;
  /** What stands before the name of a queue in its keys. */
  readonly #start: string;
  readonly #search: KeySearch;

  /** @param name the shape of the names that clients may use: a queue of another name is not looked for. */
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
    const found: QueueName[] = [];
    let start = '-';
    for (;;) {
      const [last, names] = (await this.#run(listQueuesScript, [start, NAMES_PER_RUN])) as [
        last: string | null,
        names: readonly QueueName[],
      ];
      found.push(...names);
      if (last === null) return found;
      start = `(${last}`;
    }
  }

  async glances(queues: readonly QueueName[]): Promise<readonly (QueueGlance | undefined)[]> {
    const glances: (QueueGlance | undefined)[] = [];
    for (let first = 0; first < queues.length; first += QUEUES_PER_RUN) {
      const some = queues.slice(first, first + QUEUES_PER_RUN);
      const answers = (await this.#run(readQueuesScript, some)) as readonly GlanceAnswer[];
      glances.push(...answers.map(glanceOf));
    }
    return glances;
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
  const [isPaused, summary, heldUntil] = answer;
  const glance = { isPaused: isPaused === 1, ...queueSummary(summary) };
  return heldUntil > 0 ? { ...glance, heldUntil } : glance;
}
