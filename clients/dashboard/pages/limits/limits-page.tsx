import type { Limit, Limits } from '../../../typescript/src/api.ts';
import { linkColumn, numberColumn } from '../../parts/columns.tsx';
import { listPage } from '../../parts/list-page.tsx';
import { limiterInWords, runningInWords } from './limit.ts';
import { NewLimit } from './new-limit.tsx';

/** The limits that queues share, and how much of each is in use. */
export const LimitsPage = listPage<Limits, Limit>({
  title: 'Limits',
  path: 'limits',
  every: 5000,
  most: 1000,
  meaning:
    'Queues share a limit that their policies name, such as that of an API that all of them call.',
  first: { method: 'PUT', path: 'limits/openai', body: { concurrency: 20 } },
  rowsOf: ({ limits }) => limits,
  columns: [
    linkColumn('Limit', ({ name }) => ['limits', name]),
    numberColumn('Running', runningInWords),
    numberColumn('Limiter', limiterInWords),
    numberColumn('Starts left', ({ startsLeft }) => startsLeft),
  ],
  keyOf: ({ name }) => name,
  adding: (saved) => <NewLimit saved={saved} />,
});
