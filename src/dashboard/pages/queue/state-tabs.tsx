import type { VNode } from 'preact';
import type { Counts, JobState } from '../../api/answers.ts';
import { Count } from '../../format/number.tsx';
import { pageLink, query } from '../../navigation/route.ts';
import { StateLabel } from '../../parts/state-label.tsx';

const STATES: readonly JobState[] = [
  'waiting',
  'prioritized',
  'delayed',
  'active',
  'completed',
  'failed',
  'waiting-children',
];

/** The state whose jobs are listed; undefined for all. */
export function stateTab(): JobState | undefined {
  const chosen = query.value.get('state');
  return STATES.find((state) => state === chosen);
}

export function StateTabs({
  queue,
  counts,
}: {
  readonly queue: string;
  readonly counts: Counts;
}): VNode {
  const chosen = stateTab();
  const search = query.value.get('search') ?? undefined;
  const all = STATES.reduce((sum, state) => sum + counts[state], 0);
  return (
    <nav class="tabs" aria-label="States">
      <a
        href={pageLink(['queues', queue], { search })}
        aria-current={chosen === undefined ? 'page' : undefined}
      >
        All <Count value={all} />
      </a>
      {STATES.map((state) => (
        <a
          key={state}
          href={pageLink(['queues', queue], { state, search })}
          aria-current={chosen === state ? 'page' : undefined}
        >
          <StateLabel state={state}>
            {state === 'waiting-children' ? 'children' : undefined}
          </StateLabel>{' '}
          <Count value={counts[state]} />
        </a>
      ))}
    </nav>
  );
}
