import type { VNode } from 'preact';
import { apiPath } from '../../api/request.ts';
import { NewSecret } from '../../parts/new-secret.tsx';

/** Creates a new signing secret for a worker. */
export function RotateSecret({ queue }: { readonly queue: string }): VNode {
  return (
    <NewSecret
      label="Rotate secret …"
      title={`The signing secret of ${queue}`}
      right="configure"
      request={{ method: 'POST', path: apiPath('workers', queue, 'rotate-secret') }}
      field="secret"
    >
      Calls are signed with the new secret and with the old one until tomorrow.
    </NewSecret>
  );
}
