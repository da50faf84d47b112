import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { takeFailures } from '../api/digest-stream.ts';

/** Readers of screens hear of failures no more often than this. Milliseconds. */
const PAUSE = 10_000;

/** Most queues that are named. */
const NAMED = 3;

/** Says to those who do not see the page in which queues more jobs have failed. */
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
    return () => {
      clearInterval(repeat);
    };
  }, []);
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}
