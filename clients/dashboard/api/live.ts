import { useEffect, useRef } from 'preact/hooks';
import { DigestStream, type Listener } from './digest-stream.ts';
import { isLive } from './following.ts';
import { may } from './session.ts';

/** The open streams, by path. */
const streams = new Map<string, DigestStream>();

/**
 * Follows the digests of an event path while the page is visible. A call without a digest means that some may have been
 * missed.
 *
 * @param path null for nothing to follow.
 */
export function useDigests(path: string | null, happened: Listener): void {
  const followed = may('read') ? path : null;
  const listener = useRef(happened);
  listener.current = happened;
  useEffect(() => {
    if (followed === null) return;
    const stream = streams.get(followed) ?? new DigestStream(followed);
    streams.set(followed, stream);
    const take: Listener = (digest) => {
      if (isLive.value) listener.current(digest);
    };
    stream.add(take);
    return () => {
      if (!stream.remove(take)) streams.delete(followed);
    };
  }, [followed]);
  const follows = isLive.value;
  const followedBefore = useRef(follows);
  useEffect(() => {
    // Reads at once what was missed in the meantime.
    if (follows && !followedBefore.current && followed !== null) listener.current();
    followedBefore.current = follows;
  }, [follows]);
}
