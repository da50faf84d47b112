import { useRef, useState } from 'preact/hooks';
import { isReadOnly } from '../api/session.ts';
import type { Column } from './table.tsx';

/** The rows that were selected, by their keys. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly set: (keys: readonly string[], isOn: boolean) => void;
  readonly clear: () => void;
  /** The row that was selected last, from which a range extends. */
  readonly last: { current: string | undefined };
}

export function useSelection(): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  return {
    keys,
    set: (changed, isOn) => {
      setKeys((before) => {
        const next = new Set(before);
        for (const key of changed) {
          if (isOn) next.add(key);
          else next.delete(key);
        }
        return next;
      });
    },
    clear: () => setKeys(new Set()),
    last,
  };
}

/** A column of boxes, or none where no page offers an action. With Shift, a box also selects all rows up to it. */
export function selectionColumn<Row>(
  { keys, set, last }: Selection,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  what: string,
): readonly Column<Row>[] {
  if (isReadOnly) return [];
  const all = rows.map(keyOf);
  const areAll = all.every((key) => keys.has(key));
  const toggle = (key: string, isRange: boolean): void => {
    const [from, to] = [all.indexOf(last.current ?? key), all.indexOf(key)];
    const range =
      isRange && from !== -1 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [key];
    last.current = key;
    set(range, !keys.has(key));
  };
  return [
    {
      label: 'Select',
      heading: (
        <input
          type="checkbox"
          aria-label="Select all of this page"
          checked={areAll}
          onChange={() => set(all, !areAll)}
        />
      ),
      cell: (row) => (
        <input
          type="checkbox"
          aria-label={`Select ${what} ${keyOf(row)}`}
          checked={keys.has(keyOf(row))}
          onClick={({ shiftKey }) => toggle(keyOf(row), shiftKey)}
        />
      ),
    },
  ];
}
