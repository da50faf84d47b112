import type { ComponentChildren, VNode } from 'preact';
import { inWords } from '../../../../../src/domain/values/duration.ts';
import type { Group } from '../../../../typescript/src/api.ts';
import { apiPath } from '../../../api/request.ts';
import { percentage } from '../../../format/number.tsx';
import { now } from '../../../format/time.tsx';
import { pageLink } from '../../../navigation/route.ts';
import { RightButton } from '../../../parts/action.tsx';
import {
  actionsColumn,
  column,
  countColumn,
  durationColumn,
  numberColumn,
} from '../../../parts/columns.tsx';
import type { With } from '../../../parts/properties.ts';
import { StateLabel, StoppedLabel } from '../../../parts/state-label.tsx';
import { StopButtons } from '../../../parts/stop-button.tsx';
import type { Column } from '../../../parts/table.tsx';

export function groupColumns(
  queue: string,
  refresh: () => void,
  edit: (group: Group) => void,
): readonly Column<Group>[] {
  return [
    {
      label: 'Group',
      sort: 'id',
      cell: ({ id }) =>
        id === '' ? (
          <span class="muted">without a group</span>
        ) : (
          <a class="name" href={pageLink(['queues', queue], { search: `group:"${id}"` })}>
            {id}
          </a>
        ),
    },
    countColumn('Waiting', ({ waiting }) => waiting, { sort: 'waiting' }),
    numberColumn('Active', activeOf, { sort: 'active' }),
    countColumn('Delayed', ({ delayed }) => delayed),
    durationColumn('Oldest', ({ oldestWaiting }) => oldestWaiting, { sort: 'oldest' }),
    numberColumn('Weight', ({ settings }) => settings?.weight ?? 1),
    numberColumn('Of starts', ({ share }) => percentage(share), { phone: 'hidden' }),
    column('Limit', ({ settings }) => limitOf(settings), { phone: 'hidden' }),
    column('Now', (group) => <Standing queue={queue} group={group} />, { phone: 'beside' }),
    // The jobs without a group take their turn, but have no settings.
    actionsColumn((group) => {
      const { id, paused, heldUntil } = group;
      return (
        id !== '' && (
          <>
            <StopButtons
              path={apiPath('queues', queue, 'groups', id)}
              name={id}
              isPaused={paused}
              isHeld={heldUntil !== null}
              refresh={refresh}
            />
            <RightButton right="configure" onClick={() => edit(group)}>
              Edit …
            </RightButton>
          </>
        )
      );
    }),
  ];
}

function limitOf(settings: Group['settings']): ComponentChildren {
  const { limiter } = settings ?? {};
  if (limiter === undefined) return <span class="muted">–</span>;
  return `${limiter.max} in ${inWords(limiter.duration)}`;
}

function activeOf({ active, settings }: Group): string {
  const { concurrency } = settings ?? {};
  return concurrency === undefined ? String(active) : `${active} of ${concurrency}`;
}

function Standing({
  queue,
  group: { paused, pause, heldUntil, hold, blocked, active, waiting },
}: With<'queue' | 'group'>): VNode {
  const job = blocked?.job;
  if (paused) return <StoppedLabel state="paused" stop={pause} />;
  if (heldUntil !== null) {
    return (
      <StoppedLabel state="held" stop={hold}>
        {`held for ${inWords(heldUntil - now.value)}`}
      </StoppedLabel>
    );
  }
  if (job !== undefined) {
    return (
      <>
        <StateLabel state="failed">behind</StateLabel>{' '}
        <a class="id" href={pageLink(['queues', queue, 'jobs', job])}>
          {job}
        </a>
      </>
    );
  }
  if (blocked !== null) return <StateLabel state={blocked.reason} />;
  return active + waiting === 0 ? (
    <StateLabel state="idle" />
  ) : (
    <StateLabel state="healthy">moving</StateLabel>
  );
}
