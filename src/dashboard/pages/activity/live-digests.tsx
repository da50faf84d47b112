import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Digest } from '../../api/answers.ts';
import { isLive, useDigests } from '../../api/live.ts';
import { exactNumber } from '../../format/number.tsx';
import { clockTime } from '../../format/time.tsx';
import { pageLink } from '../../navigation/route.ts';

/** How many are kept: what is older is in the figures. */
const KEPT = 200;

/** What happens, queue by queue, once a second: as many lines at five jobs a second as at five thousand. */
export function LiveDigests(): VNode {
  const [digests, setDigests] = useState<readonly Digest[]>([]);
  useDigests('events?digest=1000', (digest) => {
    if (digest !== undefined) setDigests((before) => [digest, ...before].slice(0, KEPT));
  });
  return (
    <section class="card">
      <h2>Now</h2>
      {digests.length === 0 ? (
        <p class="muted">
          {isLive.value ? 'Nothing has happened since this page was opened.' : 'Paused.'}
        </p>
      ) : (
        <ol class="log lines" tabIndex={0} aria-label="What happens">
          {digests.map(({ queue, timestamp, happened }) => (
            <li key={`${timestamp} ${queue}`}>
              <span class="muted">{clockTime(timestamp)}</span>{' '}
              <a href={pageLink(['queues', queue])}>{queue}</a> {inWords(happened)}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function inWords(happened: Digest['happened']): string {
  return Object.entries(happened)
    .map(([name, count]) => `${exactNumber(count)} ${name}`)
    .join(', ');
}
