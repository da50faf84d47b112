import type { Attempt } from 'jobgate-client';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import { colourOf } from '../output/marks.ts';
import type { Column } from '../output/table.ts';
import { moment } from '../output/times.ts';

type Called = Pick<Attempt, 'outcome' | 'status' | 'startedAt' | 'durationMs'>;

/** How a call went. */
export const callColumns: readonly Column<Called>[] = [
  { head: 'OUTCOME', cell: ({ outcome }) => outcome, colour: ({ outcome }) => colourOf(outcome) },
  { head: 'HTTP', cell: ({ status }) => status ?? '' },
  { head: 'STARTED', cell: ({ startedAt }) => moment(startedAt) },
  { head: 'TOOK', cell: ({ durationMs }) => elapsedInWords(durationMs) },
];

export const reasonColumn: Column<{ readonly reason: string | null }> = {
  head: 'REASON',
  cell: ({ reason }) => reason ?? '',
  isOptional: true,
  isCut: true,
};
