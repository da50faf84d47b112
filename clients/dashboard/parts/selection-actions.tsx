import type { VNode } from 'preact';
import { perform, RightButton, type Action } from './action.tsx';
import { Quiet } from './quiet.tsx';
import type { Selection } from './selection.tsx';

/** The actions on the selected rows, with one request for each row. */
export function SelectionActions({
  selection,
  what,
  actions,
  refresh,
}: {
  readonly selection: Selection;
  /** The plural of what was selected. */
  readonly what: string;
  readonly actions: readonly { readonly label: string; readonly all: readonly Action[] }[];
  readonly refresh: () => void;
}): VNode | null {
  const count = selection.keys.size;
  if (count === 0) return null;
  const performAll = async (all: readonly Action[]): Promise<void> => {
    selection.clear();
    for (const action of all) await perform(action);
    refresh();
  };
  return (
    <div class="bulk" role="group" aria-label={`Selected ${what}`}>
      {actions.map(({ label, all }) => (
        <RightButton key={label} right={all[0]?.right ?? ''} onClick={() => void performAll(all)}>
          {label} {count === 1 ? 'it' : `${count} ${what}`}
        </RightButton>
      ))}
      <Quiet onClick={selection.clear}>Select none</Quiet>
    </div>
  );
}
