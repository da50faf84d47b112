import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Figures } from '../../../../typescript/src/api.ts';
import { dateAndTime } from '../../../format/time.tsx';
import { column, countColumn, durationColumn } from '../../../parts/columns.tsx';
import { Table } from '../../../parts/table.tsx';

/** The same figures as numbers, the latest first. */
export function ChartTable({ figures }: { readonly figures: Figures }): VNode {
  const [isOpen, setIsOpen] = useState(false);
  const { from, step, series } = figures;
  const rows = series.added.map((_, index) => index).reverse();
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary class="muted">Show as a table</summary>
      {isOpen && (
        <Table
          label="Figures"
          columns={[
            column('From', (index: number) => dateAndTime(from + index * step)),
            countColumn('Added', (index: number) => series.added[index] ?? null),
            countColumn('Completed', (index: number) => series.completed[index] ?? null),
            countColumn('Failed', (index: number) => series.failed[index] ?? null),
            countColumn('Waiting at the end', (index: number) => series.waiting[index] ?? null),
            durationColumn('Wait p95', (index: number) => series.waitMs.p95[index] ?? null),
            durationColumn('Call p95', (index: number) => series.callMs.p95[index] ?? null),
          ]}
          rows={rows}
          keyOf={String}
        />
      )}
    </details>
  );
}
