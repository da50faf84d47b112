import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call, type ApiRequest } from '../api/request.ts';
import { RequestShown, toastFailure } from './action.tsx';
import { CopyButton } from './copy-button.tsx';
import { DialogButton } from './dialog-button.tsx';
import { Dialog } from './dialog.tsx';

interface Rotation {
  readonly title: string;
  readonly request: ApiRequest;
  /** The field of the answer that has the secret. */
  readonly field: 'secret' | 'token';
  /** The consequences. */
  readonly children: ComponentChildren;
}

/** A button that creates a new secret, and shows it this once. */
export function NewSecret({
  label,
  right,
  ...rotation
}: Rotation & { readonly label: string; readonly right: string }): VNode {
  return (
    <DialogButton
      label={label}
      right={right}
      dialog={(close) => <RotationDialog {...rotation} close={close} />}
    />
  );
}

function RotationDialog({
  title,
  request,
  field,
  close,
  children,
}: Rotation & { readonly close: () => void }): VNode {
  const [secret, setSecret] = useState<string | undefined>();
  const rotate = async (): Promise<void> => {
    try {
      const answer = await call<Readonly<Record<string, string>>>(request);
      setSecret(answer[field]);
    } catch (error) {
      close();
      toastFailure(error, request);
    }
  };
  return (
    <Dialog
      title={title}
      close={close}
      buttons={
        secret === undefined && (
          <button type="button" class="danger" onClick={() => void rotate()}>
            Rotate
          </button>
        )
      }
    >
      {secret === undefined ? <p>{children}</p> : <ShownSecret secret={secret} />}
      <RequestShown request={request} />
    </Dialog>
  );
}

/** The secret that an answer may have, in a dialog. */
export function useMadeSecret() {
  const [made, setMade] = useState<{ readonly of: string; readonly secret: string } | undefined>();
  return {
    take: (of: string, { secret }: { readonly secret?: string | undefined }): void =>
      setMade(secret === undefined ? undefined : { of, secret }),
    dialog: made && (
      <Dialog title={`The signing secret of ${made.of}`} close={() => setMade(undefined)}>
        <ShownSecret secret={made.secret} />
      </Dialog>
    ),
  };
}

function ShownSecret({ secret }: { readonly secret: string }): VNode {
  return (
    <>
      <p>It is shown this once.</p>
      <pre tabIndex={0}>{secret}</pre>
      <CopyButton text={secret} />
    </>
  );
}
