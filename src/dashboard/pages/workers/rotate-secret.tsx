import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { apiPath, call, type ApiRequest } from '../../api/request.ts';
import { RequestShown, RightButton, toastFailure } from '../../parts/action.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';

/** Makes a new signing secret, which is shown this once. */
export function RotateSecret({ queue }: { readonly queue: string }): VNode {
  const [isOpen, setIsOpen] = useState(false);
  const [secret, setSecret] = useState<string | undefined>();
  const request: ApiRequest = { method: 'POST', path: apiPath('workers', queue, 'rotate-secret') };
  const close = (): void => {
    setIsOpen(false);
    setSecret(undefined);
  };
  const rotate = async (): Promise<void> => {
    try {
      setSecret((await call<{ readonly secret: string }>(request)).secret);
    } catch (error) {
      close();
      toastFailure(error, request);
    }
  };
  return (
    <>
      <RightButton right="configure" onClick={() => setIsOpen(true)}>
        Rotate secret …
      </RightButton>
      {isOpen && (
        <Dialog title={`The signing secret of ${queue}`} close={close}>
          {secret === undefined ? (
            <p>Calls are signed with the new secret and with the old one until tomorrow.</p>
          ) : (
            <>
              <p>The secret is shown this once.</p>
              <pre tabIndex={0}>{secret}</pre>
              <CopyButton text={secret} />
            </>
          )}
          <RequestShown request={request} />
          <div class="buttons">
            {secret === undefined && (
              <button type="button" class="danger" onClick={() => void rotate()}>
                Rotate
              </button>
            )}
            <button type="button" onClick={close}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
