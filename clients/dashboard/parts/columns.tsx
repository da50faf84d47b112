import type { ComponentChildren, VNode } from 'preact';
import { duration } from '../format/duration.ts';
import { Count } from '../format/number.tsx';
import { Time } from '../format/time.tsx';
import { pageLink } from '../navigation/route.ts';
import { StateLabel } from './state-label.tsx';
import type { Column } from './table.tsx';

/** Columns of a kind: what they are called, and how a row has their value. */
type Kind<Value> = <Row>(
  label: string,
  valueOf: (row: Row) => Value,
  more?: Omit<Column<Row>, 'label' | 'cell'>,
) => Column<Row>;

function kind<Value>(show: (value: Value) => ComponentChildren, isNumber?: true): Kind<Value> {
  return (label, valueOf, more) => ({
    label,
    ...(isNumber && { isNumber }),
    cell: (row) => show(valueOf(row)),
    ...more,
  });
}

/** Columns of anything. */
export const column = kind<ComponentChildren>((content) => content);

/** Columns of numbers that are shown in a way of their own. */
export const numericColumn = kind<ComponentChildren>((content) => content, true);

export const numberColumn = kind<string | number | null>(
  (value) => <span class="number">{value ?? '–'}</span>,
  true,
);

/** Numbers that may be large. */
export const countColumn = kind<number | null>((value) => <Count value={value} />, true);

/** Durations, in milliseconds. */
export const durationColumn = kind<number | null>(
  (value) => <span class="number">{duration(value)}</span>,
  true,
);

/** Moments, epoch ms. */
export const timeColumn = kind<number | null>((at) => <Time at={at} />);

export const textColumn = kind<string | null>((text) => <span class="text">{text}</span>);

export const stateColumn = kind<string>((state) => <StateLabel state={state} />);

/** URLs, which may be cut. */
export const urlColumn = kind<readonly [url: string, shown?: string]>(([url, shown = url]) => (
  <span class="endpoint id" title={url}>
    {shown}
  </span>
));

/** Links to a page by its path, whose last part is the name. */
export const linkColumn = kind<readonly string[]>((path) => (
  <a class="name" href={pageLink(path)}>
    {path.at(-1)}
  </a>
));

/** Buttons that act on a row. */
export function actionsColumn<Row>(actionsOf: (row: Row) => VNode | false): Column<Row> {
  return {
    label: 'Actions',
    cell: (row) => {
      const actions = actionsOf(row);
      return actions && <span class="buttons row-actions">{actions}</span>;
    },
  };
}
