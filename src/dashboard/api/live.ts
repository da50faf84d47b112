import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Digest } from './answers.ts';
import { findOutWho } from './session.ts';
import { ROOT } from './request.ts';

/** Whether pages follow what happens by themselves. */
export const isLive = signal(true);

/** Failures since the page was hidden, for its title. */
export const missedFailures = signal(0);

/** A hidden page gives its stream back after this time; a lost one is opened again. Milliseconds. */
const HIDDEN = 30_000;
const AGAIN = 4000;

/**
 * Follows the digests of a path of events while the page is seen. A gap calls back without a digest.
 *
 * @param path null for nothing to follow.
 */
export function useDigests(path: string | null, happened: (digest?: Digest) => void): void {
  const followed = isLive.value ? path : null;
  useEffect(() => {
    if (followed === null) return;
    let source: EventSource | undefined;
    let hiding: number | undefined;
    let again: number | undefined;
    const open = (): void => {
      source?.close();
      source = new EventSource(new URL(followed, ROOT));
      source.addEventListener('digest', ({ data }: MessageEvent<string>) => {
        const digest = JSON.parse(data) as Digest;
        if (document.hidden) missedFailures.value += digest.happened['failed'] ?? 0;
        happened(digest);
      });
      source.addEventListener('gap', () => {
        happened();
      });
      source.onerror = () => {
        if (source?.readyState !== EventSource.CLOSED) return;
        clearTimeout(again);
        again = setTimeout(() => {
          void findOutWho();
          open();
        }, AGAIN);
      };
    };
    const seen = (): void => {
      clearTimeout(hiding);
      if (document.hidden) {
        hiding = setTimeout(() => {
          source?.close();
          source = undefined;
        }, HIDDEN);
        return;
      }
      missedFailures.value = 0;
      if (source !== undefined) return;
      open();
      happened();
    };
    open();
    document.addEventListener('visibilitychange', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      clearTimeout(hiding);
      clearTimeout(again);
      source?.close();
    };
  }, [followed]);
}
