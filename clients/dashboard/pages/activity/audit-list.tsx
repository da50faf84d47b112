import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditEntry, AuditPage } from '../../../typescript/src/api.ts';
import { withQuery } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { goTo, pageLink, query, withParameters } from '../../navigation/route.ts';
import { Button } from '../../parts/button.tsx';
import { column, stateColumn, timeColumn } from '../../parts/columns.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/fields.tsx';
import { Read } from '../../parts/page.tsx';
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
  const filter = { outcome, queue, who, action, length: LENGTH, cursor: cursors.at(-1) };
  const audit = useResource<AuditPage>(
    isAllowed ? withQuery('audit', filter) : null,
    cursors.length === 0 ? EVERY : undefined,
  );
  const textFilter = (label: string, name: string, value: string, placeholder?: string): VNode => (
    <label>
      {label}{' '}
      <input
        type="text"
        placeholder={placeholder}
        value={value}
        onChange={({ currentTarget }) => filterBy({ [name]: currentTarget.value.trim() })}
      />
    </label>
  );
  return (
    <Card title="Audit">
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
            {textFilter('Who', 'who', who)}
            {textFilter('Action', 'action', action, 'queue.pause')}
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
                    <Button onClick={() => setCursors(cursors.slice(0, -1))}>Newer</Button>
                  )}
                  {cursor !== null && (
                    <Button onClick={() => setCursors([...cursors, cursor])}>Older</Button>
                  )}
                </p>
              </>
            )}
          </Read>
        </>
      ) : (
        <p class="muted">Reading the audit needs the right audit.</p>
      )}
    </Card>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  column('Action', ({ action }) => <strong>{action}</strong>),
  column('On', ({ target }) => <Target target={target} />),
  stateColumn('Outcome', ({ outcome }) => outcome),
  column('Who', ({ who, address }) => (
    <span class="text" title={`${who.via}, ${address}`}>
      <Who who={who} />
    </span>
  )),
  timeColumn('When', ({ at }) => at),
];

/** The target of a call, as a link where it has a page. */
function Target({ target }: { readonly target: AuditEntry['target'] }): VNode {
  const { queue, job, worker, scheduler, hook, limit, topic, token } = target;
  if (queue !== undefined && job !== undefined) {
    return <a href={pageLink(['queues', queue, 'jobs', job])}>{`${queue} ${job}`}</a>;
  }
  if (worker !== undefined) return <a href={pageLink(['workers', worker])}>{worker}</a>;
  if (queue !== undefined) {
    const name = scheduler === undefined ? queue : `${queue} ${scheduler}`;
    return <a href={pageLink(['queues', queue])}>{name}</a>;
  }
  if (limit !== undefined) return <a href={pageLink(['limits', limit])}>{limit}</a>;
  if (topic !== undefined) return <a href={pageLink(['topics', topic])}>{topic}</a>;
  if (hook !== undefined) return <a href={pageLink(['hooks', hook])}>{hook}</a>;
  return <span class="text">{token ?? ''}</span>;
}
