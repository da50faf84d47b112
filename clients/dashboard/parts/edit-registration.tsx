import type { VNode } from 'preact';
import { DialogButton } from './dialog-button.tsx';
import { EditJson, type EditJsonProperties } from './edit-json.tsx';
import { useMadeSecret } from './new-secret.tsx';

/** Stands in for the values of headers, which the service never shows. */
const REDACTED = '"[redacted]"';

/** Why a value must not be sent that has been read: values of headers would be stored as they are shown. */
export function refuseRedacted(value: object): string | undefined {
  return JSON.stringify(value).includes(REDACTED)
    ? 'The values of headers are not shown: fill them in, or they would be replaced'
    : undefined;
}

/** A button that stores again what is called, with some fields changed, and shows a secret that is new. */
export function EditRegistration({
  what,
  done = `T${what.slice(1)} is stored`,
  saved,
  ...registration
}: Pick<EditJsonProperties, 'value' | 'request'> & {
  /** Whom it is about, such as `the worker of mail`. */
  readonly what: `the ${string}`;
  readonly done?: string;
  readonly saved: () => void;
}): VNode {
  const secret = useMadeSecret();
  return (
    <>
      <DialogButton
        label="Edit …"
        right="configure"
        dialog={(close) => (
          <EditJson
            {...registration}
            title={`Edit ${what}`}
            done={done}
            close={close}
            saved={(answer) => {
              secret.take(what, answer as { readonly secret?: string });
              saved();
            }}
            refuse={refuseRedacted}
          />
        )}
      />
      {secret.dialog}
    </>
  );
}
