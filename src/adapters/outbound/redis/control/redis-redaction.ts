import type { SweepStep } from '../../../../application/ports/sweep-step.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import { leftFrom } from '../../../../application/ports/left-from.ts';
import {
  JOBS_PER_REDACTION,
  type KeptPayloads,
  type RedactionPort,
} from '../../../../application/ports/redaction-port.ts';
import { withoutValuesOf } from '../../../../domain/events/kept-event.ts';
import type { ScriptArgument } from '../lua/script.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { editEvents } from '../events/event-editing.ts';
import { findRedactable, redactJobs } from '../scripts/families.ts';
import { redactedArguments } from './redacted-jobs.ts';

/** How far the clocks of those who end jobs may be apart, in milliseconds: jobs may enter a set before later ones. */
const MOST_SKEW = 60_000;

/**
 * Redacts jobs in short runs of scripts: what stays of a job is decided here, and written if the job is as it was. The
 * values in events go first, so that a run that fails is repeated with them.
 */
export class RedisRedaction implements RedactionPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
  }

  async redactBeyond(queues: readonly KeptPayloads[]): Promise<SweepStep<KeptPayloads>> {
    const now = this.#clock.now();
    const terms = queues.flatMap((each) => termsOf(each, now));
    const bounds = { most: JOBS_PER_REDACTION };
    const found = await this.#store.callOfAll(findRedactable, bounds, terms);
    if (found === undefined) return { count: 0, left: [] };
    const [number, state, mark, jobs] = found;
    const each = queues[number - 1];
    if (each === undefined) return { count: 0, left: [] };
    const ids = new Set(jobs.map(([id]) => id));
    if (ids.size > 0) {
      await editEvents(this.#store, each.queue, withoutValuesOf(ids));
    }
    const args = jobs.flatMap((job) => redactedArguments(job));
    const redacted = await this.#store.callOf(each.queue, redactJobs, { now, state, mark }, args);
    const left = queues.with(number - 1, { ...each, seen: `${state}:${mark}` });
    return { count: redacted, left: leftFrom(left, number - 1) };
  }
}

function termsOf({ queue, keep, seen = '' }: KeptPayloads, now: number): readonly ScriptArgument[] {
  const colon = seen.indexOf(':');
  const [state, mark] = colon < 0 ? ['', ''] : [seen.slice(0, colon), seen.slice(colon + 1)];
  return [queue, now - keep, now - MOST_SKEW, state, mark];
}
