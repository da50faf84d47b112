import { latestStart, patience } from './patience.ts';
import type { Script, ScriptArgument } from './scripts.ts';
import type { StoreCommands } from './store-commands.ts';

/** How much longer than its patience a command may have waited without a pause of ours, in milliseconds. */
const SLACK = 200;

/** A run of a script that stores nothing when the store comes to it after a deadline. */
export interface TimelyRun<Answer> {
  readonly script: Script;
  readonly keys: readonly string[];
  /** @param deadline in epoch milliseconds of the store. */
  readonly args: (deadline: number) => readonly ScriptArgument[];
  /** How many arguments the store has to work on, and their characters. */
  readonly count: number;
  readonly size: number;
  readonly isTooLate: (answer: Answer) => boolean;
  /** What the run is for, as an error names it. */
  readonly what: string;
}

/**
 * Runs the script until it came in time. Its caller is told that it failed only when nothing was stored.
 *
 * @returns what it answered in time.
 * @throws DomainError `store-unavailable`.
 */
export async function runInTime<Answer>(
  { scripts, time, errors }: StoreCommands,
  { script, keys, args: argsFor, count, size, isTooLate, what }: TimelyRun<Answer>,
): Promise<Answer> {
  if (!time.isKnown) await time.measured();
  // Whoever waited in vain for the store's time has waited for as long as an add may take.
  if (!time.isKnown) throw errors.unavailable(new Error('The store did not tell its time'));
  const startsWithin = latestStart(count, size);
  for (;;) {
    const sent = performance.now();
    const args = argsFor(time.in(startsWithin));
    const answer = (await scripts.run(script, keys, args)) as Answer;
    if (!isTooLate(answer)) return answer;
    // An answer that is older than our patience came in a pause of our own event loop, which kept
    // the rest of the command from being sent: nothing is stored, and the store was there.
    if (performance.now() - sent > patience(args) + SLACK) continue;
    throw errors.unavailable(new Error(`The store came to ${what} after its caller gave up`));
  }
}
