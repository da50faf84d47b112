import {
  KEPT_MINUTES,
  type CallFiguresPort,
  type MinuteOfCalls,
} from '../../../../application/ports/call-figures-port.ts';
import { callFiguresShape, type CallFigures } from '../../../../domain/calls/call-figures.ts';
import type { Traces } from '../../../../domain/jobs/traces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { parsedJson } from '../../../../domain/values/json.ts';
import { replaceValues } from '../connection/hash-values.ts';
import { inPieces } from '../connection/in-pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { readCallFigures, saveCallFigures } from '../scripts/events.ts';

/** How long a minute is kept, in milliseconds: until it is over and no longer counts, even if clocks differ. */
const KEPT_FOR = (KEPT_MINUTES + 2) * 60_000;

/** How many queues one run reads, in two milliseconds at most. */
const QUEUES_PER_RUN = 50;

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
    await Promise.all(
      kept.map((each) =>
        replaceValues(this.#store, `${calls}-${each}`, (text) => {
          const figures = figuresOf(text);
          return figures && traces.figuresWithout(figures);
        }),
      ),
    );
  }

  readEach(
    queues: readonly QueueName[],
    first: number,
    last: number,
  ): Promise<readonly (readonly CallFigures[])[]> {
    return inPieces(queues, QUEUES_PER_RUN, (some) => this.#read(some, first, last));
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
  const figures = parsedJson(record);
  return callFiguresShape.accepts(figures) ? figures : undefined;
}
