import type { VNode } from 'preact';
import type { Group } from '../../../../typescript/src/api.ts';
import { apiPath } from '../../../api/request.ts';
import { inWords } from '../../../../../src/domain/values/duration.ts';
import { duration } from '../../../format/duration.ts';
import { Count, percentage } from '../../../format/number.tsx';
import { now } from '../../../format/time.tsx';
import { pageLink } from '../../../navigation/route.ts';
import { ActionButton, RightButton, type Action } from '../../../parts/action.tsx';
import { StateLabel } from '../../../parts/state-label.tsx';
import type { Column } from '../../../parts/table.tsx';

const HOLD = 300_000;

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
    {
      label: 'Waiting',
      isNumber: true,
      sort: 'waiting',
      cell: ({ waiting }) => <Count value={waiting} />,
    },
    {
      label: 'Active',
      isNumber: true,
      sort: 'active',
      cell: ({ active, settings }) => (
        <span class="number">
          {active}
          {settings?.concurrency !== undefined && ` of ${settings.concurrency}`}
        </span>
      ),
    },
    { label: 'Delayed', isNumber: true, cell: ({ delayed }) => <Count value={delayed} /> },
    {
      label: 'Oldest',
      isNumber: true,
      sort: 'oldest',
      cell: ({ oldestWaiting }) => <span class="number">{duration(oldestWaiting)}</span>,
    },
    {
      label: 'Weight',
      isNumber: true,
      cell: ({ settings }) => <span class="number">{settings?.weight ?? 1}</span>,
    },
    {
      label: 'Of starts',
      phone: 'hidden',
      isNumber: true,
      cell: ({ share }) => <span class="number">{percentage(share)}</span>,
    },
    {
      label: 'Limit',
      phone: 'hidden',
      cell: ({ settings }) => {
        const limiter = settings?.limiter;
        return limiter === undefined ? (
          <span class="muted">–</span>
        ) : (
          `${limiter.max} in ${inWords(limiter.duration)}`
        );
      },
    },
    { label: 'Now', phone: 'beside', cell: (group) => <Standing queue={queue} group={group} /> },
    {
      label: 'Actions',
      // The jobs without a group take their turn, but have no settings.
      cell: (group) =>
        group.id !== '' && (
          <span class="buttons row-actions">
            <ActionButton action={pausing(queue, group, refresh)} />
            <ActionButton action={holding(queue, group, refresh)} />
            <RightButton right="configure" onClick={() => edit(group)}>
              Edit …
            </RightButton>
          </span>
        ),
    },
  ];
}

function Standing({
  queue,
  group: { paused, heldUntil, blocked, active, waiting },
}: {
  readonly queue: string;
  readonly group: Group;
}): VNode {
  const job = blocked?.job;
  if (paused) return <StateLabel state="paused" />;
  if (heldUntil !== null) {
    return <StateLabel state="held">{`held for ${inWords(heldUntil - now.value)}`}</StateLabel>;
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

function groupPath(queue: string, { id }: Group, verb: string): string {
  return apiPath('queues', queue, 'groups', id, verb);
}

function pausing(queue: string, group: Group, after: () => void): Action {
  const pause = { method: 'POST', path: groupPath(queue, group, 'pause') } as const;
  const resume = { method: 'POST', path: groupPath(queue, group, 'resume') } as const;
  return {
    label: group.paused ? 'Resume' : 'Pause',
    right: 'operate',
    request: group.paused ? resume : pause,
    undo: group.paused ? pause : resume,
    done: `${group.id} ${group.paused ? 'goes on' : 'is paused'}`,
    after,
  };
}

function holding(queue: string, group: Group, after: () => void): Action {
  const path = groupPath(queue, group, 'hold');
  const end = { method: 'DELETE', path } as const;
  if (group.heldUntil !== null) {
    const done = `The hold of ${group.id} has ended`;
    return { label: 'End the hold', right: 'operate', request: end, done, after };
  }
  return {
    label: `Hold ${inWords(HOLD)}`,
    right: 'operate',
    request: { method: 'POST', path, body: { for: HOLD } },
    undo: end,
    done: `${group.id} is held for ${inWords(HOLD)}`,
    after,
  };
}
