import type { VNode } from 'preact';
import type { GroupsPage, StateCounts } from '../../../typescript/src/api.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { Count } from '../../format/number.tsx';
import { pageLink, query } from '../../navigation/route.ts';
import type { With } from '../../parts/properties.ts';
import { StateLabel } from '../../parts/state-label.tsx';

export type JobState = keyof StateCounts;

/** The states by their tabs, from left to right. */
const TAB_WORDS: Readonly<Record<JobState, string>> = {
  waiting: 'Waiting',
  prioritized: 'Prioritized',
  delayed: 'Delayed',
  active: 'Active',
  completed: 'Completed',
  failed: 'Failed',
  'waiting-children': 'Children',
};

const STATES = Object.keys(TAB_WORDS) as readonly JobState[];

/** How often to check whether there are groups, in milliseconds. */
const EVERY = 30_000;

/** The state whose jobs are listed; undefined for all. */
export function stateTab(): JobState | undefined {
  const chosen = query.value.get('state');
  return STATES.find((state) => state === chosen);
}

/** How many jobs there are, in all states. */
export function jobsIn(counts: StateCounts): number {
  return STATES.reduce((sum, state) => sum + counts[state], 0);
}

export function StateTabs({ queue, counts }: With<'queue', { counts: StateCounts }>): VNode {
  const isOfGroups = query.value.get('tab') === 'groups';
  const chosen = isOfGroups ? 'groups' : (stateTab() ?? 'all');
  const kept = {
    search: query.value.get('search') ?? undefined,
    range: query.value.get('range') ?? undefined,
  };
  // Two, since one of them may be that of the jobs without a group.
  const groups = useResource<GroupsPage>(
    withQuery(apiPath('queues', queue, 'groups'), { length: 2 }),
    EVERY,
  );
  const hasGroups = groups.data?.groups.some(({ id }) => id !== '') ?? false;
  return (
    <nav class="tabs" aria-label="States">
      <a
        href={pageLink(['queues', queue], kept)}
        aria-current={chosen === 'all' ? 'page' : undefined}
      >
        All <Count value={jobsIn(counts)} />
      </a>
      {STATES.map((state) => (
        <a
          key={state}
          href={pageLink(['queues', queue], { ...kept, state })}
          aria-current={chosen === state ? 'page' : undefined}
        >
          <StateLabel state={state}>{TAB_WORDS[state]}</StateLabel> <Count value={counts[state]} />
        </a>
      ))}
      {(hasGroups || isOfGroups) && (
        <a
          href={pageLink(['queues', queue], { tab: 'groups', range: kept.range })}
          aria-current={isOfGroups ? 'page' : undefined}
        >
          Groups <Count value={groups.data?.total ?? null} />
        </a>
      )}
    </nav>
  );
}
