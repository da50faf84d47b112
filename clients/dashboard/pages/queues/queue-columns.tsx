import type { VNode } from 'preact';
import { numericColumn } from '../../parts/columns.tsx';
import { stoppedInWords } from '../../../../src/domain/values/stop-in-words.ts';
import type { FiguredQueue } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { duration } from '../../format/duration.ts';
import { countText } from '../../format/number.tsx';
import { goTo, pageLink } from '../../navigation/route.ts';
import { copyText } from '../../parts/copy-button.tsx';
import { FailureRate } from '../../parts/failure-rate.tsx';
import { ActionMenu } from '../../parts/menu.tsx';
import { holding, pausing } from '../../parts/stopping.ts';
import { Sparkline } from '../../parts/sparkline.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import type { Column } from '../../parts/table.tsx';
import type { JobState } from '../queue/state-tabs.tsx';

/** Milliseconds. */
const HOLDS = [300_000, 3_600_000];

export function queueColumns(refresh: () => void): readonly Column<FiguredQueue>[] {
  return [
    {
      label: 'Queue',
      sort: 'name',
      cell: ({ name }) => (
        <a class="name" href={pageLink(['queues', name])} title={name}>
          {name}
        </a>
      ),
    },
    {
      label: 'Waiting',
      isNumber: true,
      sort: 'waiting',
      cell: ({ name, counts }) => counted(name, 'waiting', counts.waiting + counts.prioritized),
    },
    stateCount('Active', 'active', { sort: 'active' }),
    stateCount('Delayed', 'delayed', { phone: 'hidden' }),
    stateCount('Failed', 'failed', { sort: 'failed' }),
    numericColumn('Oldest', ({ oldestWaiting }) => duration(oldestWaiting), { sort: 'oldest' }),
    numericColumn('In/min', ({ rates }) => countText(rates.added), { phone: 'hidden' }),
    {
      label: 'Out/min',
      phone: 'hidden',
      isNumber: true,
      sort: 'rate',
      cell: ({ rates }) => countText(rates.completed),
    },
    {
      label: 'Fail 1 h',
      phone: 'hidden',
      isNumber: true,
      cell: ({ failureRate }) => <FailureRate value={failureRate} />,
    },
    {
      label: '30 min',
      phone: 'hidden',
      cell: ({ spark }) => <Sparkline values={spark} what="Completions a minute" />,
    },
    {
      label: 'Now',
      phone: 'beside',
      cell: ({ paused, pause, blocked, worker }) => (
        <StateLabel
          state={paused ? 'paused' : (blocked?.reason ?? worker?.state ?? 'unknown')}
          title={blocked?.detail ?? (pause && stoppedInWords(pause))}
        >
          {paused || blocked !== null || worker !== null ? undefined : 'no endpoint'}
        </StateLabel>
      ),
    },
    {
      label: 'Actions',
      heading: <span class="unseen">Actions</span>,
      phone: 'hidden',
      cell: (queue) => rowMenu(queue, refresh),
    },
  ];
}

function rowMenu({ name, paused, blocked }: FiguredQueue, refresh: () => void): VNode {
  const path = apiPath('queues', name);
  const isHeld = blocked?.reason === 'held';
  return (
    <ActionMenu
      label={`More actions on ${name}`}
      actions={[
        pausing(path, name, paused, refresh),
        ...holding(HOLDS, path, name, isHeld, refresh),
      ]}
      others={[
        { label: 'Open', choose: () => goTo(pageLink(['queues', name])) },
        { label: 'Copy the name', choose: () => void copyText(name) },
      ]}
    />
  );
}

function stateCount(
  label: string,
  state: JobState,
  more: Partial<Column<FiguredQueue>>,
): Column<FiguredQueue> {
  const cell = ({ name, counts }: FiguredQueue): VNode => counted(name, state, counts[state]);
  return { label, isNumber: true, cell, ...more };
}

/** A number as a link to the jobs that it counts. */
function counted(queue: string, state: JobState, count: number): VNode {
  return (
    <a class={count === 0 ? 'none' : undefined} href={pageLink(['queues', queue], { state })}>
      {countText(count)}
    </a>
  );
}
