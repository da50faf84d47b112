import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isLive } from '../../api/following.ts';
import { may } from '../../api/session.ts';
import { exactNumber } from '../../format/number.tsx';
import { clockTime } from '../../format/time.tsx';
import { pageLink, query } from '../../navigation/route.ts';
import { Button } from '../../parts/button.tsx';
import { ParameterChoice } from '../../parts/fields.tsx';
import { JobLink } from '../../parts/job-link.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { EventFeed, KINDS, type Happening } from './event-feed.ts';

/** How many events are kept: older ones are in the figures. */
const KEPT = 500;

const NOTHING = 'Nothing has happened since this page was opened.';

/** What happens now, newest on top. The list stands still while the reader is further down. */
export function LiveEvents(): VNode {
  const queue = query.value.get('queue') ?? '';
  const kind = query.value.get('kind') ?? '';
  const [rows, setRows] = useState<readonly Happening[]>([]);
  const [news, setNews] = useState<readonly Happening[]>([]);
  const [isListening, setListening] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const follows = isLive.value && may('read');
  useEffect(() => {
    setRows([]);
    setNews([]);
  }, [queue, kind]);
  useEffect(() => {
    if (!follows) return;
    const opened = (): void => setListening(true);
    const feed = new EventFeed(queue, kind, opened, (happenings) => {
      const isRead = (list.current?.scrollTop ?? 0) > 0;
      (isRead ? setNews : setRows)((before) => [...happenings, ...before].slice(0, KEPT));
    });
    return () => {
      feed.close();
      setListening(false);
    };
  }, [follows, queue, kind]);
  const catchUp = (): void => {
    setRows([...news, ...rows].slice(0, KEPT));
    setNews([]);
  };
  return (
    <section class="card">
      <h2>
        Now
        {news.length > 0 && (
          <Button
            class="quiet state-delayed"
            onClick={() => {
              list.current?.scrollTo(0, 0);
              catchUp();
            }}
          >
            {exactNumber(news.length)} new · show
          </Button>
        )}
      </h2>
      <div class="filter">
        <ParameterChoice label="Events" parameter="kind" values={KINDS} />
      </div>
      {rows.length === 0 ? (
        <p class="muted">{follows ? (isListening ? NOTHING : 'Connecting…') : 'Paused.'}</p>
      ) : (
        <ol
          ref={list}
          class="events"
          tabIndex={0}
          aria-label="What happens"
          onScroll={({ currentTarget }) => {
            if (currentTarget.scrollTop === 0 && news.length > 0) catchUp();
          }}
        >
          {rows.map(rowOf)}
        </ol>
      )}
    </section>
  );
}

function rowOf({ key, at, queue, kind, job, count }: Happening): VNode {
  return (
    <li key={key}>
      <span class="id muted">{clockTime(at)}</span>
      <StateLabel state={STATES[kind] ?? kind}>
        {count === undefined ? kind : `${exactNumber(count)} ${kind}`}
      </StateLabel>
      <a class="text" href={pageLink(['queues', queue])}>
        {queue}
      </a>
      {job !== undefined && <JobLink queue={queue} id={job} />}
    </li>
  );
}

/** The states that kinds of events lead to, where their names differ. */
const STATES: Readonly<Record<string, string>> = {
  added: 'waiting',
  resumed: 'healthy',
  removed: 'unknown',
};
