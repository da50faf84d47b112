import { useEffect, useRef } from 'preact/hooks';
import { DigestStream, type Listener } from './digest-stream.ts';
import { isLive } from './following.ts';
import { may } from './session.ts';

/** Those that are open, by path. */
const streams = new Map<string, DigestStream>();

/**
 * Follows the digests of a path of events while the page is seen. Without a digest, some may have been missed.
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
    // What was missed meanwhile is read at once.
    if (follows && !followedBefore.current && followed !== null) listener.current();
    followedBefore.current = follows;
  }, [follows]);
}
