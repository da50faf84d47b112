import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { JobFilterInput, SearchQuery } from '../../../typescript/src/api.ts';
import type { JobState } from './state-tabs.tsx';
import { exactNumber } from '../../format/number.tsx';
import { RightButton } from '../../parts/action.tsx';
import { Button, Quiet } from '../../parts/button.tsx';
import type { Selection } from '../../parts/selection.tsx';
import { bulkAction, BulkDialog, type BulkAction } from './bulk-dialog.tsx';

type Verb = 'retry' | 'promote' | 'cancel' | 'clean';

/** The bulk actions that each state allows. */
const VERBS: Readonly<Record<JobState, readonly Verb[]>> = {
  waiting: ['cancel'],
  prioritized: ['cancel'],
  delayed: ['promote', 'cancel'],
  active: ['cancel'],
  completed: ['clean'],
  failed: ['retry', 'clean'],
  'waiting-children': ['cancel'],
};

/** Actions on the selected jobs, or on all jobs that match the search. */
export function BulkBar({
  queue,
  state,
  search,
  selection,
  total,
  isPageSelected,
  done,
  news,
}: {
  readonly queue: string;
  readonly state: JobState | undefined;
  readonly search: SearchQuery;
  readonly selection: Selection;
  /** How many jobs the list has; undefined while a search is active. */
  readonly total: number | undefined;
  readonly isPageSelected: boolean;
  readonly done: () => void;
  /** How many jobs have come since the list stopped updating. */
  readonly news: number;
}): VNode | null {
  const [asked, setAsked] = useState<BulkAction | undefined>();
  const selected = [...selection.keys];
  if (state === undefined) {
    return selected.length === 0 ? null : (
      <p class="bulk muted">Choose a state to do something to these {selected.length} jobs.</p>
    );
  }
  const { data, ...rest } = search;
  // Repairs cannot search in the data, so with such a search only selected jobs can be repaired.
  const isExact = selected.length > 0 || data === undefined;
  const filter: JobFilterInput =
    selected.length > 0 ? { ids: selected, statuses: [state] } : { ...rest, statuses: [state] };
  const all = allOf(state, total);
  const what = selected.length > 0 ? `the ${selected.length} selected` : all;
  // The dialog shows the result of its action even when no job of this state is left.
  if (total === 0 && selected.length === 0 && asked === undefined) return null;
  return (
    <div class="bulk">
      {VERBS[state].map((verb) => {
        const action = bulkAction(verb, queue, filter);
        return (
          <RightButton
            key={verb}
            right="operate"
            disabled={!isExact}
            title={isExact ? undefined : 'Select jobs: no bulk action can search the data'}
            onClick={() => setAsked(action)}
          >
            {action.label} {what} …
          </RightButton>
        );
      })}
      {isPageSelected && data === undefined && (
        <Quiet onClick={selection.clear}>A{all.slice(1)} in place of this page</Quiet>
      )}
      {news > 0 && (
        <Button class="quiet state-delayed" onClick={done}>
          {news} new · show
        </Button>
      )}
      {asked && <BulkDialog action={asked} close={() => setAsked(undefined)} done={done} />}
    </div>
  );
}

function allOf(state: JobState, total: number | undefined): string {
  if (total === undefined) return `all ${state} that match`;
  return total === 1 ? `the ${state} job` : `all ${exactNumber(total)} ${state}`;
}
