import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { perform, RequestShown, type Action } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';

/** An action that cannot be undone: the name of its target has to be typed. */
export function TypedAction({
  title,
  expected,
  action,
  close,
  children,
}: {
  readonly title: string;
  readonly expected: string;
  readonly action: Action;
  readonly close: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const [typed, setTyped] = useState('');
  return (
    <Dialog title={title} close={close}>
      {children}
      <label>
        Type <code>{expected}</code> to go on
        <input
          type="text"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <RequestShown request={action.request} />
      <div class="buttons">
        <button
          type="button"
          class="danger"
          disabled={typed !== expected}
          onClick={() => {
            close();
            void perform(action);
          }}
        >
          {action.label}
        </button>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
