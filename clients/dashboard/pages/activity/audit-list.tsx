import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditEntry, AuditPage } from '../../../typescript/src/api.ts';
import { withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { goTo, pageLink, query, withParameters } from '../../navigation/route.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { Choice } from '../../parts/fields.tsx';
import { Read } from '../../parts/page.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Who } from '../../parts/who.tsx';

const EVERY = 5000;
const LENGTH = 50;
const OUTCOMES = ['ok', 'refused', 'failed', 'started'];

/** The entries of the audit, the newest first. */
export function AuditList(): VNode {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const outcome = query.value.get('outcome') ?? '';
  const queue = query.value.get('queue') ?? '';
  const who = query.value.get('who') ?? '';
  const action = query.value.get('action') ?? '';
  const filterBy = (changes: Readonly<Record<string, string>>): void => {
    setCursors([]);
    goTo(withParameters(changes));
  };
  const isAllowed = may('audit');
  const audit = useResource<AuditPage>(
    isAllowed
      ? withQuery('audit', {
          outcome,
          queue,
          who,
          action,
          length: LENGTH,
          cursor: cursors.at(-1),
        })
      : null,
    cursors.length === 0 ? EVERY : undefined,
  );
  return (
    <section class="card">
      <h2>Audit</h2>
      {isAllowed ? (
        <>
          <div class="filter">
            <Choice
              label="Outcome"
              value={outcome}
              values={OUTCOMES}
              change={(value) => filterBy({ outcome: value })}
              mayBeAny
            />
            <label>
              Who{' '}
              <input
                type="text"
                value={who}
                onChange={({ currentTarget }) => filterBy({ who: currentTarget.value.trim() })}
              />
            </label>
            <label>
              Action{' '}
              <input
                type="text"
                placeholder="queue.pause"
                value={action}
                onChange={({ currentTarget }) => filterBy({ action: currentTarget.value.trim() })}
              />
            </label>
          </div>
          <Read of={audit}>
            {({ entries, cursor }) => (
              <>
                {entries.length === 0 ? (
                  <p class="muted">There are no entries.</p>
                ) : (
                  <Table label="Audit" columns={COLUMNS} rows={entries} keyOf={({ id }) => id} />
                )}
                <p class="pager">
                  {cursors.length > 0 && (
                    <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
                      Newer
                    </button>
                  )}
                  {cursor !== null && (
                    <button type="button" onClick={() => setCursors([...cursors, cursor])}>
                      Older
                    </button>
                  )}
                </p>
              </>
            )}
          </Read>
        </>
      ) : (
        <p class="muted">Reading the audit needs the right audit.</p>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { label: 'Action', cell: ({ action }) => <strong>{action}</strong> },
  { label: 'On', cell: ({ target }) => <Target target={target} /> },
  { label: 'Outcome', cell: ({ outcome }) => <StateLabel state={outcome} /> },
  {
    label: 'Who',
    cell: ({ who, address }) => (
      <span class="text" title={`${who.via}, ${address}`}>
        <Who who={who} />
      </span>
    ),
  },
  timeColumn('When', ({ at }) => at),
];

/** The target of a call, as a link where it has a page. */
function Target({ target }: { readonly target: AuditEntry['target'] }): VNode {
  const { queue, job, worker, scheduler, hook, token } = target;
  if (queue !== undefined && job !== undefined) {
    return <a href={pageLink(['queues', queue, 'jobs', job])}>{`${queue} ${job}`}</a>;
  }
  if (worker !== undefined) return <a href={pageLink(['workers', worker])}>{worker}</a>;
  if (queue !== undefined) {
    const name = scheduler === undefined ? queue : `${queue} ${scheduler}`;
    return <a href={pageLink(['queues', queue])}>{name}</a>;
  }
  if (hook !== undefined) return <a href={pageLink(['hooks', hook])}>{hook}</a>;
  return <span class="text">{token ?? ''}</span>;
}
