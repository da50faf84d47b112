import { useEffect } from 'preact/hooks';
import { call, reportOutage } from '../api/request.ts';

/** How long the page waits before it checks again that the service works, in milliseconds. */
const PAUSE = 900;

/**
 * After this time without an answer, in milliseconds, the service counts as away: people see an outage within three
 * seconds.
 */
const LONGEST = 2000;

/** Notices outages: event streams stay open while the store is away, and send nothing. */
export function useHeartbeat(): void {
  useEffect(() => {
    let timer: number | undefined;
    let isOver = false;
    const later = (): void => {
      if (!isOver) timer = setTimeout(() => void beat().finally(later), PAUSE);
    };
    const beat = async (): Promise<void> => {
      if (document.hidden) return;
      const late = AbortSignal.timeout(LONGEST);
      try {
        await call({ method: 'GET', path: 'health/ready' }, late);
      } catch {
        // The call itself reports why it failed, unless there is no answer at all.
        if (late.aborted) reportOutage('The service does not answer');
      }
    };
    later();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
}
