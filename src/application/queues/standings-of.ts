import type { CommonPorts } from '../ports/common-ports.ts';
import type { QueueStanding } from '../../domain/workers/blocked.ts';
import type { ViewedQueue } from './queue-view.ts';
import { standingIn, standingQuery } from './standing-query.ts';

/** What shows whether jobs of a queue start. */
export type StandingPorts = Pick<CommonPorts, 'standings' | 'limitUse'>;

/** The standings of queues, completed by what the policies in force say of them. @throws DomainError `store-unavailable`. */
export async function standingsOf(
  { standings, limitUse }: StandingPorts,
  queues: readonly ViewedQueue[],
): Promise<readonly (QueueStanding | undefined)[]> {
  const queries = queues.flatMap(({ queue, limits = [] }) =>
    limits.map((name) => ({ name, queue })),
  );
  const [found, uses] = await Promise.all([
    standings.standings(queues.map(standingQuery)),
    queries.length === 0 ? [] : limitUse.uses(queries),
  ]);
  const known = uses.flatMap((use) => use ?? []);
  return queues.map((viewed, index) => {
    const standing = found[index];
    if (standing === undefined || viewed.limits === undefined) {
      return standing && standingIn(viewed, standing);
    }
    const limits = known.filter(({ queue }) => queue?.name === viewed.queue);
    return standingIn(viewed, { ...standing, limits });
  });
}
