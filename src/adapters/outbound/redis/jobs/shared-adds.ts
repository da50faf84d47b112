import { GatheredCalls } from '../connection/gathered-calls.ts';
import { isQueueFull } from '../../../../domain/errors.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import { isWrongType } from '../connection/store-errors.ts';

/**
 * What the script answers for one job: its id, or the id and bytes of one that exists, and whether that stands for
 * its deduplication id.
 */
export type AddAnswer = string | readonly [id: string, bytes: number, isDeduplicated?: 1];

/** The jobs of one call, as arguments of the script. */
export interface AddCall {
  readonly args: readonly ScriptArgument[];
  readonly jobs: number;
  /** Characters of its arguments. */
  readonly size: number;
  /** Most jobs that may wait once these are stored. */
  readonly maxWaiting?: number | undefined;
}

/** What one run of the script did. */
export interface AddRun {
  readonly answers: readonly AddAnswer[];
  /** When the jobs were stored, epoch milliseconds. */
  readonly timestamp: number;
}

interface WaitingAdd {
  readonly call: AddCall;
  readonly resolve: (run: AddRun) => void;
  readonly reject: (error: unknown) => void;
}

/** A call of more jobs gains nothing from sharing, and would make others wait. */
const MOST_JOBS_TO_SHARE = 10;

/** Most characters in one shared run: the store does nothing else while it works on it. */
const LARGEST_SHARED_RUN = 262_144;

/**
 * Lets the calls that add to one queue in the same turn of the event loop share one run of the script.
 * Each still gets its own answer. They are stored together or not at all, which is more than each promises. Only a call
 * that the store refuses, for its keys or because too many jobs would wait, fails alone.
 */
export class SharedAdds<Queue> {
  readonly #run: (queue: Queue, calls: readonly AddCall[]) => Promise<AddRun>;
  readonly #waiting = new GatheredCalls<Queue, WaitingAdd>((queue, waiting) => {
    for (const group of grouped(waiting)) void this.#runGroup(queue, group);
  });

  constructor(run: (queue: Queue, calls: readonly AddCall[]) => Promise<AddRun>) {
    this.#run = run;
  }

  add(queue: Queue, call: AddCall): Promise<AddRun> {
    if (call.jobs > MOST_JOBS_TO_SHARE || call.size > LARGEST_SHARED_RUN) {
      return this.#run(queue, [call]);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.add(queue, { call, resolve, reject });
    });
  }

  async #runGroup(queue: Queue, group: readonly WaitingAdd[]): Promise<void> {
    try {
      const calls = group.map(({ call }) => call);
      const { answers, timestamp } = await this.#run(queue, calls);
      let first = 0;
      for (const { call, resolve } of group) {
        resolve({ answers: answers.slice(first, first + call.jobs), timestamp });
        first += call.jobs;
      }
    } catch (error) {
      if (group.length > 1 && (isWrongType(error) || isQueueFull(error))) {
        for (const each of group) void this.#runGroup(queue, [each]);
      } else {
        for (const { reject } of group) reject(error);
      }
    }
  }
}

/** Groups of at most the size of a shared run, in the order of the calls. */
function grouped(waiting: readonly WaitingAdd[]): readonly (readonly WaitingAdd[])[] {
  const groups: WaitingAdd[][] = [];
  let current: WaitingAdd[] = [];
  let size = 0;
  for (const each of waiting) {
    if (current.length > 0 && size + each.call.size > LARGEST_SHARED_RUN) {
      groups.push(current);
      current = [];
      size = 0;
    }
    current.push(each);
    size += each.call.size;
  }
  groups.push(current);
  return groups;
}
