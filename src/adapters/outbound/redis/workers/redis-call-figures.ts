import {
  KEPT_MINUTES,
  type CallFiguresPort,
  type MinuteOfCalls,
} from '../../../../application/ports/call-figures-port.ts';
import { callFiguresShape, type CallFigures } from '../../../../domain/calls/call-figures.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { luaScript } from '../lua/load.ts';

/** How long a minute is kept, in milliseconds: until it is over and no longer counts, even if clocks differ. */
const KEPT_FOR = (KEPT_MINUTES + 2) * 60_000;

const saveFiguresScript = luaScript('save-call-figures');

/** The figures of calls in one hash for each minute of a queue, with a field for each source. */
export class RedisCallFigures implements CallFiguresPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;

  constructor(commands: StoreCommands, keys: QueueKeysCache) {
    this.#commands = commands;
    this.#keys = keys;
  }

  async save({ queue, minute, source, figures }: MinuteOfCalls): Promise<void> {
    const { meta, calls } = this.#keys.get(queue);
    const args = [source, JSON.stringify(figures), KEPT_FOR];
    await this.#commands.scripts.run(saveFiguresScript, [`${calls}-${minute}`, meta], args);
  }

  async read(queue: QueueName, first: number, last: number): Promise<readonly CallFigures[]> {
    const { calls } = this.#keys.get(queue);
    const { client, errors } = this.#commands;
    const minutes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const reads = minutes.map((minute) => errors.run(() => client.hvals(`${calls}-${minute}`)));
    const records = (await Promise.all(reads)).flat();
    return records.flatMap((record) => figuresOf(record) ?? []);
  }
}

/** Undefined for a record that another program or version wrote. */
function figuresOf(record: string): CallFigures | undefined {
  try {
    const figures: unknown = JSON.parse(record);
    return callFiguresShape.accepts(figures) ? figures : undefined;
  } catch {
    return undefined;
  }
}
