import type { ForgottenSteps, SteppedJobs } from '../../../../application/ports/erasure-port.ts';
import type { StepPort } from '../../../../application/ports/step-port.ts';
import { hasAll, type ErasureFilter } from '../../../../domain/jobs/erasure.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { parsedJson } from '../../../../domain/values/json.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { scannedNames } from '../connection/scanned-names.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { SIGNALS_KEPT, SIGNAL_BODIES, STEP_VALUES } from '../layout/step-keys.ts';
import { readSteps } from '../layout/step-values.ts';
import { clearSteps, forgetSignal } from '../scripts/attempts.ts';

/** Signals that one read takes: each may have 64 kB. */
const SIGNALS_PER_READ = 10;

type Matches = (value: string) => boolean;

/** Erases the steps of some jobs, and what matches a filter by data of the steps of others and of kept signals. */
export class StepsErasure {
  readonly #store: StoreCommands;
  readonly #steps: Pick<StepPort, 'remove'>;

  constructor(store: StoreCommands, steps: Pick<StepPort, 'remove'>) {
    this.#store = store;
    this.#steps = steps;
  }

  async erase(
    queue: QueueName,
    { erased, others }: SteppedJobs,
    filter: ErasureFilter,
    now: number,
  ): Promise<ForgottenSteps> {
    let steps = 0;
    for (const id of erased) steps += await this.#remove(queue, id);
    if (filter.kind !== 'data') return { steps, signals: 0 };
    const matches: Matches = (value) => hasAll(filter.fields, parsedJson(value));
    for (const id of others) steps += await this.#clear(queue, id, matches);
    return { steps, signals: await this.#forgetSignals(queue, matches, now) };
  }

  async #remove(queue: QueueName, id: string): Promise<number> {
    const count = await this.#store.run((client) => client.hlen(this.#keyOf(queue, id)));
    if (count === 0) return 0;
    const { kind } = await this.#steps.remove(queue, id);
    return kind === 'done' ? count : 0;
  }

  async #clear(queue: QueueName, id: string, matches: Matches): Promise<number> {
    const saved = await this.#store.run((client) => client.hgetall(this.#keyOf(queue, id)));
    const cleared = readSteps(Object.entries(saved)).flatMap(({ name, value }) =>
      matches(value) ? [name, saved[name] ?? ''] : [],
    );
    return cleared.length === 0 ? 0 : this.#store.callOf(queue, clearSteps, { id }, cleared);
  }

  async #forgetSignals(queue: QueueName, matches: Matches, now: number): Promise<number> {
    const { jobPrefix } = this.#store.keysOf(queue);
    const keys = await scannedNames((cursor) =>
      this.#store.run((client) => client.zscan(jobPrefix + SIGNALS_KEPT, cursor)),
    );
    let forgotten = 0;
    for (const some of piecesOf(keys, SIGNALS_PER_READ)) {
      const bodies = await this.#store.run((client) =>
        client.hmget(jobPrefix + SIGNAL_BODIES, ...some),
      );
      for (const [index, key] of some.entries()) {
        if (!matches(bodies[index] ?? 'null')) continue;
        forgotten += Number(await this.#store.callOf(queue, forgetSignal, { key, now }));
      }
    }
    return forgotten;
  }

  #keyOf(queue: QueueName, id: string): string {
    return `${this.#store.keysOf(queue).jobPrefix}${id}${STEP_VALUES}`;
  }
}
