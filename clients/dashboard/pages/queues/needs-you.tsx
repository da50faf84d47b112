import type { VNode } from 'preact';
import type { Failing, FiguredQueue, FiguredQueuesPage } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { duration } from '../../format/duration.ts';
import { Count, exactNumber, percentage } from '../../format/number.tsx';
import { pageLink } from '../../navigation/route.ts';
import { ActionButton } from '../../parts/action.tsx';
import { disabling, pausing } from '../../parts/stopping.ts';
import { StateLabel } from '../../parts/state-label.tsx';

/** The most queues that are shown here. */
const SHOWN = 5;

const HOUR = 3_600_000;

interface Need {
  readonly queue: FiguredQueue;
  readonly reason: string;
  readonly severity: number;
}

/** The queues that need attention, or one line when none does. */
export function NeedsYou({
  blocked,
  failing,
  latest,
  total,
  refresh,
}: {
  readonly blocked: FiguredQueuesPage | undefined;
  readonly failing: FiguredQueuesPage | undefined;
  /** The reading of a queue that the table shows too. */
  readonly latest: (queue: FiguredQueue) => FiguredQueue;
  /** How many queues there are; undefined while unknown. */
  readonly total: number | undefined;
  readonly refresh: () => void;
}): VNode | null {
  if (total === 0) return null;
  if (blocked === undefined || failing === undefined) return <div class="needs" />;
  const needs = needsOf(blocked.queues.map(latest), failing.queues.map(latest));
  if (needs.length === 0) {
    return (
      <p class="needs calm">
        <StateLabel state="healthy">{calmText(total)}</StateLabel>
      </p>
    );
  }
  // If there are more such queues than one page, the rest was not checked.
  const areMore = [blocked, failing].some(({ total: all, queues }) => all > queues.length);
  const count = `${areMore ? 'At least ' : ''}${needs.length}`;
  return (
    <section class="needs" aria-labelledby="needs">
      <h2 id="needs">
        {count} {needs.length === 1 ? 'queue needs' : 'queues need'} attention
      </h2>
      <ul>
        {needs.slice(0, SHOWN).map(({ queue, reason }) => (
          <li key={queue.name} class={`need state-${reason}`}>
            <a class="name" href={pageLink(['queues', queue.name])}>
              {queue.name}
            </a>
            <StateLabel state={reason === 'late' ? 'delayed' : reason}>
              {sentence(queue, reason)}
            </StateLabel>
            <span class="muted">
              <span class="numeric">
                <Count value={queue.counts.waiting + queue.counts.prioritized} /> waiting
              </span>
              <span class="numeric">
                {queue.oldestWaiting !== null && `oldest ${duration(queue.oldestWaiting)}`}
              </span>
            </span>
            {remedy(queue, reason, refresh)}
          </li>
        ))}
      </ul>
      {needs.length > SHOWN && (
        <a href={pageLink([], stateOfRest(needs.slice(SHOWN)))}>
          {areMore ? 'and others' : `and ${needs.length - SHOWN} more`}
        </a>
      )}
    </section>
  );
}

function calmText(total: number | undefined): string {
  if (total === 1) return 'The queue is processing its jobs.';
  return `All ${total === undefined ? '' : `${exactNumber(total)} `}queues are processing their jobs.`;
}

/** Which list has the queues that are not shown: as a rule those that fail come after those that stand still. */
function stateOfRest([next]: readonly Need[]): Readonly<Record<string, string>> {
  return next?.reason === 'failing'
    ? { state: 'failing', sort: 'failed' }
    : { state: 'blocked', sort: 'oldest' };
}

/** The most severe first. */
function needsOf(
  blocked: readonly FiguredQueue[],
  failing: readonly FiguredQueue[],
): readonly Need[] {
  const needs = new Map<string, Need>();
  for (const queue of [...failing, ...blocked]) {
    const { name, attention } = queue;
    if (attention !== null) needs.set(name, { queue, ...attention });
  }
  return [...needs.values()].sort((one, other) => one.severity - other.severity);
}

function sentence({ blocked, failing }: FiguredQueue, reason: string): string {
  if (reason === 'failing' && failing !== null) return failureSentence(failing);
  return blocked?.detail ?? 'Jobs wait for long';
}

function failureSentence({ window, ended, failed }: Failing): string {
  const hours = window / HOUR;
  return hours === 1
    ? `${percentage(failed / ended)} failed in the last hour`
    : `All ${exactNumber(ended)} jobs that ended in the last ${hours} hours failed`;
}

function remedy({ name, blocked }: FiguredQueue, reason: string, refresh: () => void): VNode {
  if (reason === 'failing') {
    return leading(pageLink(['queues', name], { state: 'failed' }), 'See what failed');
  }
  if (blocked?.queue !== undefined && blocked.id !== undefined) {
    return leading(pageLink(['queues', blocked.queue, 'jobs', blocked.id]), 'See the failed child');
  }
  if (blocked?.reason === 'paused') {
    return <ActionButton action={pausing(apiPath('queues', name), name, true, refresh)} />;
  }
  if (blocked?.reason === 'disabled') {
    return <ActionButton action={disabling(name, true, refresh)} />;
  }
  return leading(pageLink(['queues', name]), 'Open');
}

function leading(link: string, text: string): VNode {
  return (
    <a class="button" href={link}>
      {text}
    </a>
  );
}
