import {
  KEPT_MINUTES,
  type CallFiguresPort,
  type MinuteOfCalls,
} from '../../../../application/ports/call-figures-port.ts';
import { callFiguresShape, type CallFigures } from '../../../../domain/calls/call-figures.ts';
import { severalAtOnce } from '../../../../application/running/several-at-once.ts';
import type { Traces } from '../../../../domain/jobs/traces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { readCallFigures, saveCallFigures } from '../scripts/events.ts';

/** How long a minute is kept, in milliseconds: until it is over and no longer counts, even if clocks differ. */
const KEPT_FOR = (KEPT_MINUTES + 2) * 60_000;

/** How many queues one run reads, in two milliseconds at most. */
const QUEUES_PER_RUN = 50;

/** How many runs are in progress at a time. */
const RUNS_AT_ONCE = 4;

/** The figures of calls in one hash for each minute of a queue, with a field for each source. */
export class RedisCallFigures implements CallFiguresPort {
  readonly #store: StoreCommands;

  constructor(store: StoreCommands) {
    this.#store = store;
  }

  async save({ queue, minute, source, figures }: MinuteOfCalls): Promise<void> {
    const keys = this.#store.keysOf(queue);
    const to = { minute: `${keys.calls}-${minute}`, source, kept: KEPT_FOR };
    await this.#store.call(saveCallFigures, keys, { ...to, figures: JSON.stringify(figures) });
  }

  async forget(queue: QueueName, traces: Traces, now: number): Promise<void> {
    const { calls } = this.#store.keysOf(queue);
    const minute = Math.floor(now / 60_000);
    // The clocks of replicas differ.
    const kept = Array.from({ length: KEPT_MINUTES + 4 }, (_, index) => minute + 1 - index);
    await severalAtOnce(kept, kept.length, (each) => this.#forgetIn(`${calls}-${each}`, traces));
  }

  async #forgetIn(key: string, traces: Traces): Promise<void> {
    for (const [source, text] of Object.entries(
      await this.#store.run((client) => client.hgetall(key)),
    )) {
      const figures = figuresOf(text);
      const next = figures && JSON.stringify(traces.figuresWithout(figures));
      if (next !== undefined && next !== text) {
        await this.#store.run((client) => client.hset(key, source, next));
      }
    }
  }

  async readEach(
    queues: readonly QueueName[],
    first: number,
    last: number,
  ): Promise<readonly (readonly CallFigures[])[]> {
    const pieces = piecesOf(queues, QUEUES_PER_RUN);
    const read = (some: readonly QueueName[]) => this.#read(some, first, last);
    return (await severalAtOnce(pieces, RUNS_AT_ONCE, read)).flat();
  }

  async #read(
    queues: readonly QueueName[],
    first: number,
    last: number,
  ): Promise<readonly (readonly CallFigures[])[]> {
    const calls = queues.map((queue) => this.#store.keysOf(queue).calls);
    const range = { first, last };
    const records = await this.#store.callOfAll(readCallFigures, range, calls);
    return records.map((each) => each.flatMap((record) => figuresOf(record) ?? []));
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
