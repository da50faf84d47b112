import type { VNode } from 'preact';
import type { Token, TokensPage } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { ActionButton } from '../../parts/action.tsx';
import { actionsColumn, column, textColumn, timeColumn } from '../../parts/columns.tsx';
import { NewSecret } from '../../parts/new-secret.tsx';
import { Read } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';

const EVERY = 30_000;

/** The tokens by name. The dashboard does not know their values. */
export function TokenList(): VNode {
  const tokens = useResource<TokensPage>('tokens?length=1000', EVERY);
  return (
    <Read of={tokens}>
      {(data) => (
        <Table
          label="Tokens"
          columns={[...COLUMNS, actions(tokens.reread)]}
          rows={data.tokens}
          keyOf={({ id }) => id}
        />
      )}
    </Read>
  );
}

const COLUMNS: readonly Column<Token>[] = [
  column('Name', ({ name, hint }) => (
    <span class="text">
      {name} {hint !== null && <span class="muted id">{hint}</span>}
    </span>
  )),
  textColumn('Rights', ({ rights }) => rights.join(', '), { phone: 'labelled' }),
  textColumn('Queues', ({ queues }) => queues?.join(', ') ?? 'all', { phone: 'labelled' }),
  timeColumn('Last used', ({ lastUsedAt }) => lastUsedAt),
  timeColumn('Expires', ({ expires }) => expires),
  column('From', ({ source }) => source, { phone: 'labelled' }),
];

/** Tokens of the environment and of files are changed where they come from. */
function actions(refresh: () => void): Column<Token> {
  return actionsColumn(
    ({ id, name, source }) =>
      source === 'api' && (
        <>
          <NewSecret
            label="Rotate …"
            title={`The token ${name}`}
            right="tokens"
            request={{ method: 'POST', path: apiPath('tokens', id, 'rotate'), body: {} }}
            field="token"
          >
            The new token and the old one both work until tomorrow.
          </NewSecret>
          <ActionButton
            class="danger"
            action={{
              label: 'Revoke …',
              right: 'tokens',
              request: { method: 'DELETE', path: apiPath('tokens', id) },
              warning: `${name} and the tokens that it made stop working, and their sessions end.`,
              done: `${name} is revoked`,
              after: refresh,
            }}
          />
        </>
      ),
  );
}
