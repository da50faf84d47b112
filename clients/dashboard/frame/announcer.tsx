import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { takeFailures } from '../api/digest-stream.ts';

/** The shortest time between two announcements of failures to screen readers, in milliseconds. */
const PAUSE = 10_000;

/** The most queues that are named. */
const NAMED = 3;

/** Announces to screen readers in which queues more jobs have failed. */
export function Announcer(): VNode {
  const [text, setText] = useState('');
  useEffect(() => {
    const repeat = setInterval(() => {
      const failures = takeFailures();
      const named = failures
        .slice(0, NAMED)
        .map(([queue, count]) => `${queue}: ${count} more failed`);
      const others = failures.length - named.length;
      setText([...named, ...(others > 0 ? [`failures in ${others} more queues`] : [])].join(', '));
    }, PAUSE);
    return () => clearInterval(repeat);
  }, []);
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}
