import type { VNode } from 'preact';
import type { Token } from '../../api/answers.ts';
import { useResource } from '../../api/resource.ts';
import { Time } from '../../format/time.tsx';
import { Read } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';

const EVERY = 30_000;

/** The tokens by name; their values are known to nobody here. */
export function TokenList(): VNode {
  const tokens = useResource<{ readonly tokens: readonly Token[] }>('tokens?length=100', EVERY);
  return (
    <Read of={tokens}>
      {(data) => (
        <Table label="Tokens" columns={COLUMNS} rows={data.tokens} keyOf={({ id }) => id} />
      )}
    </Read>
  );
}

const COLUMNS: readonly Column<Token>[] = [
  {
    label: 'Name',
    cell: ({ name, hint }) => (
      <span class="text">
        {name} {hint !== null && <span class="muted id">{hint}</span>}
      </span>
    ),
  },
  { label: 'Rights', cell: ({ rights }) => <span class="text">{rights.join(', ')}</span> },
  {
    label: 'Queues',
    cell: ({ queues }) => <span class="text">{queues?.join(', ') ?? 'all'}</span>,
  },
  { label: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { label: 'Expires', cell: ({ expires }) => <Time at={expires} /> },
  { label: 'From', cell: ({ source }) => source },
];
