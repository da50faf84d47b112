import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call, type ApiRequest } from '../api/request.ts';
import { RequestShown, RightButton, toastFailure } from './action.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** A button that creates a new secret, and shows it this once. */
export function NewSecret({
  label,
  title,
  right,
  request,
  secretOf,
  children,
}: {
  readonly label: string;
  readonly title: string;
  readonly right: string;
  readonly request: ApiRequest;
  /** The secret, from the answer to the request. */
  readonly secretOf: (answer: unknown) => string;
  /** The consequences. */
  readonly children: ComponentChildren;
}): VNode {
  const [isOpen, setIsOpen] = useState(false);
  const [secret, setSecret] = useState<string | undefined>();
  const close = (): void => {
    setIsOpen(false);
    setSecret(undefined);
  };
  const rotate = async (): Promise<void> => {
    try {
      setSecret(secretOf(await call(request)));
    } catch (error) {
      close();
      toastFailure(error, request);
    }
  };
  return (
    <>
      <RightButton right={right} onClick={() => setIsOpen(true)}>
        {label}
      </RightButton>
      {isOpen && (
        <Dialog title={title} close={close}>
          {secret === undefined ? <p>{children}</p> : <ShownSecret secret={secret} />}
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

export function ShownSecret({ secret }: { readonly secret: string }): VNode {
  return (
    <>
      <p>It is shown this once.</p>
      <pre tabIndex={0}>{secret}</pre>
      <CopyButton text={secret} />
    </>
  );
}
