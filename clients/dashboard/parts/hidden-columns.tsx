import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { keep, kept } from '../frame/browser-storage.ts';
import { Popover } from './menu.tsx';

const NAME = 'hidden-columns';

/** The columns that this browser hides, by table. */
const hidden = signal(kept<Readonly<Record<string, readonly string[]>>>(NAME, {}));

export function isHidden(table: string, column: string): boolean {
  return hidden.value[table]?.includes(column) === true;
}

/** A list of the columns of a table after the first, each of which can be hidden. */
export function columnChoice(table: string, columns: readonly { readonly label: string }[]): VNode {
  return (
    <Popover label="Choose columns" opener="Columns">
      {() =>
        columns.slice(1).map(({ label: column }) => (
          <label key={column} class="check">
            <input
              type="checkbox"
              checked={!isHidden(table, column)}
              onChange={({ currentTarget }) => show(table, column, currentTarget.checked)}
            />
            {column}
          </label>
        ))
      }
    </Popover>
  );
}

function show(table: string, column: string, isShown: boolean): void {
  const others = (hidden.value[table] ?? []).filter((each) => each !== column);
  hidden.value = { ...hidden.value, [table]: isShown ? others : [...others, column] };
  keep(NAME, hidden.value);
}
