import type { Script, ScriptArgument } from '../lua/script.ts';
import { latestStart, patience } from './patience.ts';
import type { StoreCommands } from './store-commands.ts';

/** How much longer than its patience a command may wait unless this process paused, in milliseconds. */
const SLACK = 200;

/** A run of a script that stores nothing when the store starts it after a deadline. */
export interface TimelyRun<Answer> {
  readonly script: Script;
  readonly keys: readonly string[];
  /** @param deadline in epoch milliseconds of the store. */
  readonly args: (deadline: number) => readonly ScriptArgument[];
  /** The number of arguments of the run, and their characters. */
  readonly count: number;
  readonly size: number;
  readonly isTooLate: (answer: Answer) => boolean;
  /** The purpose of the run, for errors. */
  readonly what: string;
}

/**
 * Runs the script until a run starts in time. It reports a failure to its caller only if nothing was stored.
 *
 * @returns what it answered in time.
 * @throws DomainError `store-unavailable`.
 */
export async function runInTime<Answer>(
  { scripts, time, errors }: StoreCommands,
  { script, keys, args: argsFor, count, size, isTooLate, what }: TimelyRun<Answer>,
): Promise<Answer> {
  // Another server may have another clock, which is measured once the connection to it is ready.
  const returning = errors.returning();
  if (returning !== undefined) await returning;
  if (!time.isKnown) await time.measured();
  // A caller that waited in vain for the store's time has already waited as long as an add may take.
  if (!time.isKnown) throw errors.unavailable(new Error('The store did not report its time'));
  const startsWithin = latestStart(count, size);
  for (;;) {
    const [sent, { offset }] = [performance.now(), time];
    const args = argsFor(time.in(startsWithin));
    const answer = (await scripts.run(script, keys, args)) as Answer;
    if (!isTooLate(answer)) return answer;
    // An answer that took longer than the patience arrived because the event loop paused here, which kept the rest of
    // the command from being sent: nothing is stored, and the store was up.
    if (performance.now() - sent > patience(args) + SLACK) continue;
    await time.measureAgain();
    // The deadline was by a clock that has been set since.
    if (time.wasSetSince(offset)) continue;
    throw errors.unavailable(new Error(`The store came to ${what} after its caller gave up`));
  }
}
