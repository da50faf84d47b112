import type { VNode } from 'preact';

interface Line {
  readonly text: string;
  readonly kind: 'same' | 'removed' | 'added';
}

/** Two values as JSON, line by line: removed, added and unchanged lines. */
export function JsonDiff({ before, after }: Readonly<{ before: unknown; after: unknown }>): VNode {
  const lines = diff(linesOf(before), linesOf(after));
  if (lines.every(({ kind }) => kind === 'same')) return <p class="muted">Nothing changes.</p>;
  return (
    <pre class="diff" tabIndex={0} aria-label="Changes">
      {lines.map(({ text, kind }, index) => (
        <span key={index} class={kind}>
          {`${MARKS[kind]} ${text}\n`}
        </span>
      ))}
    </pre>
  );
}

const MARKS = { same: ' ', removed: '−', added: '+' } as const;

function linesOf(value: unknown): readonly string[] {
  return JSON.stringify(value, null, 2).split('\n');
}

/**
 * Keeps the longest common subsequence of lines. Registrations have tens of lines, so a table of all pairs is small.
 */
function diff(before: readonly string[], after: readonly string[]): readonly Line[] {
  const common: (readonly number[])[] = [];
  const at = (row: number, column: number): number => common[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    const counts: number[] = [];
    common[row] = counts;
    for (let column = after.length - 1; column >= 0; column -= 1) {
      counts[column] = isSame(before[row], after[column])
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const old = before[row];
    const text = after[column];
    if (text !== undefined && isSame(old, text)) {
      lines.push({ text, kind: 'same' });
      row += 1;
      column += 1;
    } else if (
      text !== undefined &&
      (old === undefined || at(row, column + 1) > at(row + 1, column))
    ) {
      lines.push({ text, kind: 'added' });
      column += 1;
    } else {
      lines.push({ text: old ?? '', kind: 'removed' });
      row += 1;
    }
  }
  return lines;
}

/** Whether a line stays; its comma comes and goes with what follows it. */
function isSame(old: string | undefined, text: string | undefined): boolean {
  return old?.replace(/,$/, '') === text?.replace(/,$/, '');
}
