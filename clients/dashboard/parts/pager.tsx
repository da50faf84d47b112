import type { VNode } from 'preact';
import { exactNumber } from '../format/number.tsx';
import { query, withParameters } from '../navigation/route.ts';

/** Links to the pages before and after this one. */
export function Pager({ length, total }: Record<'length' | 'total', number>): VNode | null {
  const start = pageStart();
  if (total <= length && start === 0) return null;
  const first = Math.min(start + 1, total);
  const last = Math.min(start + length, total);
  const from = (position: number): string =>
    withParameters({ start: position <= 0 ? undefined : String(position) });
  return (
    <nav class="pager" aria-label="Pages">
      {start > 0 && (
        <a rel="prev" href={from(start - length)}>
          Previous
        </a>
      )}
      <span>
        {exactNumber(first)}–{exactNumber(last)} of {exactNumber(total)}
      </span>
      {last < total && (
        <a rel="next" href={from(start + length)}>
          Next
        </a>
      )}
    </nav>
  );
}

/** The position of the first row, from the address. */
export function pageStart(): number {
  const start = Number(query.value.get('start') ?? 0);
  return Number.isInteger(start) && start > 0 ? start : 0;
}
