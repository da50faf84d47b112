import type { ComponentChildren, VNode } from 'preact';

/** Beyond this, only the magnitude is shown. */
const EXACT = 99_999;

const THIN_SPACE = '\u2009';

const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** With thin spaces between the thousands, and at most one decimal. */
export function exactNumber(value: number): string {
  const [whole = '', decimals] = String(Math.round(value * 10) / 10).split('.');
  const text = whole.replace(THOUSANDS, THIN_SPACE);
  return decimals === undefined ? text : `${text}.${decimals}`;
}

const SHORT = { notation: 'compact', maximumSignificantDigits: 3 } as const;

function magnitude(value: number): string {
  return new Intl.NumberFormat('en', SHORT).format(value);
}

/** A number in a cell of numbers. It usually needs no element of its own, since pages have hundreds of them. */
export function countText(value: number | null): ComponentChildren {
  if (value === null) return '–';
  return Math.abs(value) <= EXACT ? exactNumber(value) : <Count value={value} />;
}

export function Count({ value }: { readonly value: number | null }): VNode {
  if (value === null) return <span class="muted">–</span>;
  const text = exactNumber(value);
  if (Math.abs(value) <= EXACT) return <span class="number">{text}</span>;
  return (
    <span class="number" title={text}>
      <span aria-hidden="true">{magnitude(value)}</span>
      <span class="unseen">{text}</span>
    </span>
  );
}

export function percentage(share: number | null): string {
  if (share === null) return '–';
  const percent = share * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : String(Math.round(percent))} %`;
}

/** A size in bytes. */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? String(Math.round(value)) : value.toFixed(1)} ${units[unit] ?? ''}`;
}
