import { useEffect, useState } from 'preact/hooks';
import type { Failures, QueueFailure } from '../../../typescript/src/api.ts';
import { apiPath, call, withQuery } from '../../api/request.ts';
import { may } from '../../api/session.ts';

/** How many of the latest failed jobs of a queue are looked at. */
const LOOKED_AT = 1000;

/** By queue, the causes of the jobs that are failed now; undefined where it has more of them than are looked at. */
type CausesNow = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/**
 * Whether jobs may be failed with a cause now: those that failed in the time of the page may have completed or gone
 * since. Looks at the queues one after the other, each time the page was read.
 */
export function useStillFailed(
  failures: readonly QueueFailure[] | undefined,
): (failure: QueueFailure) => boolean {
  const [causes, setCauses] = useState<CausesNow>(new Map());
  useEffect(() => {
    if (failures === undefined || !may('operate')) return;
    const abort = new AbortController();
    const queues = new Set(failures.map(({ queue }) => queue));
    void causesNow(queues, abort.signal).then((found) => {
      if (!abort.signal.aborted) setCauses(found);
    });
    return () => abort.abort();
  }, [failures]);
  return ({ queue, cause }) => causes.get(queue)?.has(cause) ?? true;
}

async function causesNow(queues: ReadonlySet<string>, signal: AbortSignal): Promise<CausesNow> {
  const found = new Map<string, ReadonlySet<string> | undefined>();
  for (const queue of queues) {
    const path = withQuery(apiPath('queues', queue, 'failures'), { window: LOOKED_AT });
    const answer = await call<Failures>({ method: 'GET', path }, signal).catch(() => undefined);
    if (signal.aborted) return found;
    const isWhole = answer !== undefined && answer.failed <= LOOKED_AT;
    found.set(queue, isWhole ? new Set(answer.causes.map(({ cause }) => cause)) : undefined);
  }
  return found;
}
