import { STORE_PATIENCE } from '../../../../application/ports/store-patience.ts';

/**
 * How long an add may take, all in milliseconds. Clients get a 503 within two seconds, and a 503 must mean
 * that nothing was stored. Both hold by the order of these moments, counted from sending the command:
 *
 *   the store starts it (`latestStart`, or it refuses) + it works (`workingTime`)
 *     + the answer comes back (`WAY_BACK`) <= the caller gives up (`patience`)
 *
 * The store may be silent for a second and a half, as it is while it forks, removes a large key or runs a slow script,
 * and still does what arrives meanwhile. A larger add must start earlier, and has all of STORE_PATIENCE, which is enough
 * for the largest that is accepted by default: 10,000 jobs and 10 MB. An even larger one, where the configuration
 * accepts it, keeps its caller waiting for more than two seconds rather than report a failure that may be untrue.
 */
const LATEST_START = 1550;

/** The time within which an add has to start that is too large for this calculation. */
const LATEST_START_OF_LONG = 1000;

/** With less, a large command could not be sent to a busy store in time. */
const EARLIEST_START = 500;

const WAY_BACK = 200;

/** The part of its time that a call may spend before and after its command. */
const AROUND_COMMAND = 200;

/** The longest time without an answer, for all but large commands. */
export const PATIENCE = STORE_PATIENCE - AROUND_COMMAND;

/** The most time that one argument and one byte take the store: four times what they take an idle one. */
const PER_ARGUMENT = 0.021;
const PER_BYTE = 0.00001;

/** How late the store may start an add with this many arguments and bytes. */
export function latestStart(count: number, bytes: number): number {
  const left = STORE_PATIENCE - WAY_BACK - workingTime(count, bytes);
  return left < EARLIEST_START ? LATEST_START_OF_LONG : Math.min(LATEST_START, left);
}

/** The time without an answer after which a command with these arguments is given up. */
export function patience(args: readonly unknown[]): number {
  let bytes = 0;
  for (const argument of args) {
    if (typeof argument === 'string') bytes += argument.length;
  }
  const { length } = args;
  return Math.max(PATIENCE, latestStart(length, bytes) + workingTime(length, bytes) + WAY_BACK);
}

function workingTime(count: number, bytes: number): number {
  return count * PER_ARGUMENT + bytes * PER_BYTE;
}
