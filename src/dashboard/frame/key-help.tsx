import type { VNode } from 'preact';
import { KEYS, usesLetters } from '../navigation/keys.ts';
import { Dialog } from '../parts/dialog.tsx';

export function KeyHelp({ close }: { readonly close: () => void }): VNode {
  return (
    <Dialog title="Keys" close={close}>
      <dl class="keys">
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={usesLetters.value}
          onChange={({ currentTarget }) => (usesLetters.value = currentTarget.checked)}
        />
        Single letters are keys
      </label>
      <div class="buttons">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
