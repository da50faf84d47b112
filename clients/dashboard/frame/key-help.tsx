import type { VNode } from 'preact';
import { KEYS, letters } from '../navigation/keys.ts';
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
          checked={letters.value === 'on'}
          onChange={({ currentTarget }) => (letters.value = currentTarget.checked ? 'on' : 'off')}
        />
        Single letters are keys
      </label>
    </Dialog>
  );
}
