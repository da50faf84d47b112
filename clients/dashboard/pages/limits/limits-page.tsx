import type { VNode } from 'preact';
import type { Limit, Limits } from '../../../typescript/src/api.ts';
import { asCurl } from '../../api/curl.ts';
import { useResource } from '../../api/resource.ts';
import { exactNumber } from '../../format/number.tsx';
import { linkColumn, numberColumn } from '../../parts/columns.tsx';
import { Commands } from '../../parts/commands.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { limiterInWords, runningInWords } from './limit.ts';
import { NewLimit } from './new-limit.tsx';

const EVERY = 5000;

const FIRST_LIMIT = asCurl({ method: 'PUT', path: 'limits/openai', body: { concurrency: 20 } });

/** The limits that queues share, and how much of each is in use. */
export function LimitsPage(): VNode {
  const limits = useResource<Limits>('limits', EVERY);
  const { data } = limits;
  return (
    <Page
      title="Limits"
      context={data && `${exactNumber(data.total)} of at most 1000`}
      actions={<NewLimit saved={limits.reread} />}
    >
      <Read of={limits}>
        {({ limits: rows }) =>
          rows.length === 0 ? (
            <Commands title="There are no limits yet" commands={[FIRST_LIMIT]}>
              Queues share a limit that their policies name, such as that of an API that all of them
              call.
            </Commands>
          ) : (
            <Table
              label="Limits"
              columns={columns}
              rows={rows}
              keyOf={({ name }) => name}
              isStale={limits.isBusy}
            />
          )
        }
      </Read>
    </Page>
  );
}

const columns: readonly Column<Limit>[] = [
  linkColumn('Limit', ({ name }) => ['limits', name]),
  numberColumn('Running', runningInWords),
  numberColumn('Limiter', limiterInWords),
  numberColumn('Starts left', ({ startsLeft }) => startsLeft),
];
