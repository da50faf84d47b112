import type { AttemptKey, ClaimRequest } from '../../../../application/ports/attempt-port.ts';
import type { Retention } from '../../../../domain/worker-options.ts';
import { GatheredCalls } from '../connection/gathered-calls.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';

/** What one caller wants of a run: an attempt completed, a job claimed, or both in this order. */
export interface Entry {
  readonly completed?: AttemptKey & { readonly returnvalue: string };
  readonly keep?: Retention | undefined;
  readonly claim?: ClaimRequest | undefined;
}

/** What a run answers: when the next delayed job falls due, or 0, and then for each of its entries. */
export type RunAnswer = readonly [nextAt: number, answers: readonly EntryAnswer[]];

/** 0: left alone. 1: done, and there was no job. */
export type EntryAnswer = 0 | 1 | readonly [record: readonly string[], id: string];

export interface EntryResult {
  readonly answer: EntryAnswer;
  readonly nextAt: number;
}

interface Waiting {
  readonly entry: Entry;
  readonly resolve: (result: EntryResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Most entries of a run. With more the store would rest while we wait for calls to end, and we while it works on
 * them.
 */
const MOST_ENTRIES = 16;

/** Most characters of the return values of a run: the store does nothing else while it works on it. */
const MOST_CHARACTERS = 262_144;

/**
 * Lets the attempts of a queue that end in the same turn of the event loop, and the claims that are made in it,
 * share one run of a script. Each gets its own answer.
 */
export class SharedRuns {
  readonly #run: (keys: QueueKeys, entries: readonly Entry[]) => Promise<RunAnswer>;
  readonly #waiting = new GatheredCalls<QueueKeys, Waiting>((keys, waiting) => {
    for (const group of grouped(waiting)) void this.#runGroup(keys, group);
  });

  constructor(run: (keys: QueueKeys, entries: readonly Entry[]) => Promise<RunAnswer>) {
    this.#run = run;
  }

  /** Rejects as the run does: then all of its entries were done or none. */
  add(keys: QueueKeys, entry: Entry): Promise<EntryResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(keys, { entry, resolve, reject });
    });
  }

  async #runGroup(keys: QueueKeys, group: readonly Waiting[]): Promise<void> {
    try {
      const [nextAt, answers] = await this.#run(
        keys,
        group.map(({ entry }) => entry),
      );
      group.forEach(({ resolve }, index) => {
        resolve({ answer: answers[index] as EntryAnswer, nextAt });
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

/** Groups of at most the size of a run and of the same settings, in the order of the calls. */
function grouped(waiting: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const groups: Waiting[][] = [];
  let current: Waiting[] = [];
  let characters = 0;
  for (const each of waiting) {
    const { length } = each.entry.completed?.returnvalue ?? '';
    const [first] = current;
    const isFull = current.length >= MOST_ENTRIES || characters + length > MOST_CHARACTERS;
    if (first !== undefined && (isFull || !haveSameSettings(first.entry, each.entry))) {
      groups.push(current);
      current = [];
      characters = 0;
    }
    current.push(each);
    characters += length;
  }
  groups.push(current);
  return groups;
}

function haveSameSettings(one: Entry, other: Entry): boolean {
  return (
    one.keep?.count === other.keep?.count &&
    one.keep?.age === other.keep?.age &&
    one.claim?.concurrency === other.claim?.concurrency &&
    one.claim?.lockDuration === other.claim?.lockDuration
  );
}

/** The arguments of a run beside what it needs of the queue, in the order of the script. */
export function entryArguments(entries: readonly Entry[]): ScriptArgument[] {
  const args: ScriptArgument[] = [];
  for (const { completed, claim } of entries) {
    const { jobId = '', token = '', returnvalue = '' } = completed ?? {};
    args.push(jobId, token, returnvalue, claim?.token ?? '');
  }
  return args;
}
