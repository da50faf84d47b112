import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Figures } from '../../../../typescript/src/api.ts';
import { duration } from '../../../format/duration.ts';
import { Count } from '../../../format/number.tsx';
import { dateAndTime } from '../../../format/time.tsx';
import { Table, type Column } from '../../../parts/table.tsx';

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
            { label: 'From', cell: (index: number) => dateAndTime(from + index * step) },
            counted('Added', series.added),
            counted('Completed', series.completed),
            counted('Failed', series.failed),
            counted('Waiting at the end', series.waiting),
            timed('Wait p95', series.waitMs.p95),
            timed('Call p95', series.callMs.p95),
          ]}
          rows={rows}
          keyOf={String}
        />
      )}
    </details>
  );
}

type Values = readonly (number | null)[];

function counted(label: string, values: Values): Column<number> {
  return { label, isNumber: true, cell: (index) => <Count value={values[index] ?? null} /> };
}

function timed(label: string, values: Values): Column<number> {
  return {
    label,
    isNumber: true,
    cell: (index) => <span class="number">{duration(values[index] ?? null)}</span>,
  };
}
