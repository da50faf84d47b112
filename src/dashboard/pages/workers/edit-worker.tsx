import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { RightButton } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { EditJson } from '../../parts/edit-json.tsx';
import { ShownSecret } from '../../parts/new-secret.tsx';

/** Stands in for the values of headers, which the service never shows. */
const REDACTED = '"[redacted]"';

/** Registers the worker again with some fields changed, and shows which. */
export function EditWorker({
  queue,
  registration,
  saved,
}: {
  readonly queue: string;
  readonly registration: object;
  readonly saved: () => void;
}): VNode {
  const [isOpen, setIsOpen] = useState(false);
  const [secret, setSecret] = useState<string | undefined>();
  return (
    <>
      <RightButton right="configure" onClick={() => setIsOpen(true)}>
        Edit …
      </RightButton>
      {isOpen && (
        <EditJson
          title={`Edit the worker of ${queue}`}
          value={registration}
          request={(body) => ({ method: 'POST', path: 'workers', body })}
          done={`The worker of ${queue} is registered anew`}
          close={() => setIsOpen(false)}
          saved={(answer) => {
            setSecret((answer as { readonly secret?: string }).secret);
            saved();
          }}
          refuse={(value) =>
            JSON.stringify(value).includes(REDACTED)
              ? 'The values of headers are not shown: fill them in, or they would be replaced'
              : undefined
          }
        />
      )}
      {secret !== undefined && (
        <Dialog title={`The signing secret of ${queue}`} close={() => setSecret(undefined)}>
          <ShownSecret secret={secret} />
          <div class="buttons">
            <button type="button" onClick={() => setSecret(undefined)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
