import type { QueueKeys } from '../layout/queue-keys.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { scanList, type KnownJob, type Row } from '../scripts/reading.ts';
import type { ListPosition, NextJobs } from './scan-places.ts';

/** How far to either side of its last position a place is looked for first. Mostly, few jobs have come or gone. */
const NEAR = 250;

/** In how many positions each further run looks for it. */
const POSITIONS_PER_RUN = 5000;

/** How many jobs on either side mark a place. */
const KNOWN_JOBS = 8;

/**
 * The jobs of a list that come after a position. The position shifts as jobs come and go, so it is found by the jobs
 * next to it. If none of them is left, the jobs after them left even earlier.
 *
 * @param fields which fields to read of each job's hash.
 */
export async function nextOfList(
  store: StoreCommands,
  keys: QueueKeys,
  key: string,
  position: ListPosition | undefined,
  fields: readonly string[],
): Promise<NextJobs> {
  const { index = 0, seen = [], unseen = [] } = position ?? {};
  const known = [...seen, ...unseen];
  const next = (place: number, rows: readonly Row[], listed: readonly KnownJob[]): NextJobs => ({
    ids: listed.slice(0, rows.length).map(([id]) => id),
    rows,
    goesOn: listed.length > rows.length,
    positionAfter: (taken) => [
      place + taken,
      [...seen, ...listed.slice(0, taken)].slice(-KNOWN_JOBS),
      listed.slice(taken, taken + KNOWN_JOBS),
    ],
  });
  let [from, to] = [Math.max(0, index - NEAR), index + NEAR];
  let [start, end] = [from, to];
  for (;;) {
    const [length, place, rows = [], listed = []] = await store.call(
      scanList,
      keys,
      {
        list: key,
        behind: KNOWN_JOBS,
        from: start,
        to: end,
        known: known.length,
        seen: seen.length,
      },
      [...known.flat(), ...fields],
    );
    if (place !== undefined) return next(place, rows, listed);
    from = Math.min(from, length);
    // Jobs come in at the head, so the place is more likely to have moved away from it than towards it.
    if (to < length) {
      [start, end] = [to + 1, to + POSITIONS_PER_RUN];
      to = end;
    } else if (from > 0) {
      [start, end] = [Math.max(0, from - POSITIONS_PER_RUN), from - 1];
      from = start;
    } else {
      return next(length, [], []);
    }
  }
}
