import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call, type ApiRequest } from '../api/request.ts';
import { RequestShown, toastFailure } from './action.tsx';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { DialogButton } from './dialog-button.tsx';
import { Dialog } from './dialog.tsx';
import type { With } from './properties.ts';

/** The children are the consequences. */
interface Rotation extends With<'title' | 'children'> {
  readonly request: ApiRequest;
  /** The field of the answer that has the secret. */
  readonly field: 'secret' | 'token';
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

function RotationDialog({ request, field, children, ...dialog }: Rotation & With<'close'>): VNode {
  const [secret, setSecret] = useState<string | undefined>();
  const rotate = async (): Promise<void> => {
    try {
      const answer = await call<Readonly<Record<string, string>>>(request);
      setSecret(answer[field]);
    } catch (error) {
      dialog.close();
      toastFailure(error, request);
    }
  };
  return (
    <Dialog
      {...dialog}
      buttons={
        secret === undefined && (
          <Button class="danger" onClick={() => void rotate()}>
            Rotate
          </Button>
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
