import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { DigestStream, type Listener } from './digest-stream.ts';
import { may } from './session.ts';

/** Whether pages follow what happens by themselves. */
export const isLive = signal(true);

/** Those that are open, by path. */
const streams = new Map<string, DigestStream>();

/**
 * Follows the digests of a path of events while the page is seen. Without a digest, some may have been missed.
 *
 * @param path null for nothing to follow.
 */
export function useDigests(path: string | null, happened: Listener): void {
  const followed = isLive.value && may('read') ? path : null;
  useEffect(() => {
    if (followed === null) return;
    const stream = streams.get(followed) ?? new DigestStream(followed);
    streams.set(followed, stream);
    stream.add(happened);
    return () => {
      if (!stream.remove(happened)) streams.delete(followed);
    };
  }, [followed]);
}
