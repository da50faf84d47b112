import { useEffect } from 'preact/hooks';
import { call, reportOutage } from '../api/request.ts';

/** How often the page makes sure that the service does its work, in milliseconds. */
const BEAT = 1500;

/** A service that has not answered for so long is away, in milliseconds. */
const LONGEST = 3000;

/** Notices outages: streams of events stay open while the store is away, and say nothing. */
export function useHeartbeat(): void {
  useEffect(() => {
    let isBusy = false;
    const beat = async (): Promise<void> => {
      if (isBusy || document.hidden) return;
      isBusy = true;
      const late = AbortSignal.timeout(LONGEST);
      try {
        await call({ method: 'GET', path: 'health/ready' }, late);
      } catch {
        // Why it fails is said by the call, unless there is no answer at all.
        if (late.aborted) reportOutage('The service does not answer');
      }
      isBusy = false;
    };
    const repeat = setInterval(() => void beat(), BEAT);
    return () => {
      clearInterval(repeat);
    };
  }, []);
}
