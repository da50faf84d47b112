import { useEffect } from 'preact/hooks';
import { call, reportOutage } from '../api/request.ts';

/** How long the page waits before it makes sure again that the service does its work, in milliseconds. */
const PAUSE = 900;

/** A service that has not answered for so long is away: people see an outage within three seconds. Milliseconds. */
const LONGEST = 2000;

/** Notices outages: streams of events stay open while the store is away, and say nothing. */
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
        // Why it fails is said by the call, unless there is no answer at all.
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
