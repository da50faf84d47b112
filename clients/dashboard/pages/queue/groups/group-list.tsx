import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Group, GroupsPage } from '../../../../typescript/src/api.ts';
import { useDigests } from '../../../api/live.ts';
import { apiPath, withQuery } from '../../../api/request.ts';
import { useResource } from '../../../api/resource.ts';
import { query } from '../../../navigation/route.ts';
import { ParameterChoice } from '../../../parts/fields.tsx';
import { Read } from '../../../parts/page.tsx';
import { Pager, pageStart } from '../../../parts/pager.tsx';
import { Table } from '../../../parts/table.tsx';
import { groupColumns } from './group-columns.tsx';
import { GroupDialog } from './group-dialog.tsx';

const LENGTH = 50;

/** How often to read, in milliseconds: shares and ages change even without events. */
const EVERY = 15_000;

/** The groups of a queue with their turns and limits. */
export function GroupList({ queue }: { readonly queue: string }): VNode {
  const [edited, setEdited] = useState<Group | undefined>();
  const sort = query.value.get('sort') ?? 'waiting';
  const state = query.value.get('of') ?? '';
  const groups = useResource<GroupsPage>(
    withQuery(apiPath('queues', queue, 'groups'), {
      start: pageStart(),
      length: LENGTH,
      sort,
      state,
    }),
    EVERY,
  );
  useDigests(`${apiPath('queues', queue, 'events')}?digest=1000`, groups.refresh);
  return (
    <>
      <div class="filter">
        <ParameterChoice label="State" parameter="of" values={['blocked', 'paused']} />
        <span class="muted">Groups take turns by their weights, whatever waits in them.</span>
      </div>
      <Read of={groups}>
        {({ total, groups: rows }) =>
          rows.length === 0 ? (
            <p class="empty">
              {state === ''
                ? 'No job has a group. An add with {"opts": {"group": {"id": "acme"}}} makes one.'
                : `No group is ${state}.`}
            </p>
          ) : (
            <>
              <Table
                label="Groups"
                columns={groupColumns(queue, groups.reread, setEdited)}
                rows={rows}
                keyOf={({ id }) => id}
                isStale={groups.isBusy || groups.error !== undefined}
                defaultSort="waiting"
              />
              <Pager length={LENGTH} total={total} />
            </>
          )
        }
      </Read>
      {edited && (
        <GroupDialog
          queue={queue}
          group={edited}
          close={() => setEdited(undefined)}
          saved={groups.reread}
        />
      )}
    </>
  );
}
