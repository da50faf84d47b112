import { CAME_LATE } from '../lua/answers.ts';
import type { ArgumentsOf, Script, ScriptArgument, TypedScript } from '../lua/script.ts';
import { latestStart, patience } from './patience.ts';
import type { StoreCommands } from './store-commands.ts';

/** How much longer than its patience a command may wait unless this process paused, in milliseconds. */
const SLACK = 200;

/** A run of a script that stores nothing and answers CAME_LATE when the store starts it after a deadline. */
export interface TimelyRun {
  readonly script: Script;
  readonly keys: readonly string[];
  /** @param deadline in epoch milliseconds of the store. */
  readonly args: (deadline: number) => readonly ScriptArgument[];
  /** The number of arguments of the run, and their characters. */
  readonly count: number;
  readonly size: number;
  /** The purpose of the run, for errors. */
  readonly what: string;
}

/**
 * Runs the script until a run starts in time. It reports a failure to its caller only if nothing was stored.
 *
 * @returns what it answered in time.
 * @throws DomainError `store-unavailable`.
 */
export async function runInTime(
  { scripts, time, errors }: StoreCommands,
  { script, keys, args: argsFor, count, size, what }: TimelyRun,
): Promise<unknown> {
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
    const answer = await scripts.run(script, keys, args);
    if (answer !== CAME_LATE) return answer;
    // An answer that took longer than the patience arrived because the event loop paused here, which kept the rest of
    // the command from being sent: nothing is stored, and the store was up.
    if (performance.now() - sent > patience(args) + SLACK) continue;
    await time.measureAgain();
    // The deadline was by a clock that has been set since.
    if (time.wasSetSince(offset)) continue;
    throw errors.unavailable(new Error(`The store came to ${what} after its caller gave up`));
  }
}

/** The same of a script with named arguments, one of which is the deadline. @param rest behind these. */
export async function callInTime<Keys, Args extends { readonly deadline: unknown }, Answer>(
  store: StoreCommands,
  script: TypedScript<Keys, Args, Answer>,
  keys: Keys,
  args: Omit<ArgumentsOf<Args>, 'deadline'>,
  what: string,
  rest: readonly ScriptArgument[] = [],
): Promise<Answer> {
  const until = (deadline: number) => ({ ...args, deadline }) as ArgumentsOf<Args>;
  const answer = await runInTime(store, {
    script,
    keys: script.keysFor(keys, until(0)),
    args: (deadline) => script.argumentsFor(keys, until(deadline)).concat(rest),
    count: rest.length,
    size: rest.reduce<number>((sum, each) => sum + String(each).length, 0),
    what,
  });
  return script.answer(answer, script.name);
}
