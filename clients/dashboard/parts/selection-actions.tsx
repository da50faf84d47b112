import type { VNode } from 'preact';
import { perform, RightButton, type Action } from './action.tsx';
import { Quiet } from './button.tsx';
import type { With } from './properties.ts';
import type { Selection } from './selection.tsx';

/** Pauses the selected rows or resumes them, with one request for each row. */
export function SelectionActions({
  selection,
  what,
  pausing,
  refresh,
}: With<'refresh'> & {
  readonly selection: Selection;
  /** The plural of what was selected. */
  readonly what: string;
  /** The actions for rows that are paused, or for rows that are not. */
  readonly pausing: (isPaused: boolean) => readonly Action[];
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
      {(['Pause', 'Resume'] as const).map((label) => (
        <RightButton
          key={label}
          right="operate"
          onClick={() => void performAll(pausing(label === 'Resume'))}
        >
          {label} {count === 1 ? 'it' : `${count} ${what}`}
        </RightButton>
      ))}
      <Quiet onClick={selection.clear}>Select none</Quiet>
    </div>
  );
}
