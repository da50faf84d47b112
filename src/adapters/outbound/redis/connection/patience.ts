/**
 * How long a command may take, all in milliseconds. Clients get a 503 within two seconds, and a 503 must
 * mean that nothing was stored. Both hold by the order of these moments, counted from sending an add:
 *
 *   the store starts it (`LATEST_START` at most, or it refuses)
 *     + it works (`workingTime`) + the answer comes back (`WAY_BACK`) <= the caller gives up (`patience`)
 */
export const LATEST_START = 1000;

/** Longest time without an answer, for all commands but those whose work may take longer. */
export const PATIENCE = 1700;

const WAY_BACK = 250;

/** What one argument and one byte cost a store at most: several times what was measured. */
const PER_ARGUMENT = 0.006;
const PER_BYTE = 0.00001;

/** Time without an answer after which a command of those arguments is given up. */
export function patience(args: readonly unknown[]): number {
  return Math.max(PATIENCE, LATEST_START + workingTime(args) + WAY_BACK);
}

function workingTime(args: readonly unknown[]): number {
  let bytes = 0;
  for (const argument of args) bytes += lengthOf(argument);
  return args.length * PER_ARGUMENT + bytes * PER_BYTE;
}

function lengthOf(argument: unknown): number {
  return typeof argument === 'string' || Buffer.isBuffer(argument) ? argument.length : 0;
}
