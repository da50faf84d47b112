import type { VNode } from 'preact';
import { apiPath } from '../../api/request.ts';
import { NewSecret } from '../../parts/new-secret.tsx';

/** Creates a new secret for a token of the API. */
export function RotateToken({ id, name }: { readonly id: string; readonly name: string }): VNode {
  return (
    <NewSecret
      label="Rotate …"
      title={`The token ${name}`}
      right="tokens"
      request={{ method: 'POST', path: apiPath('tokens', id, 'rotate'), body: {} }}
      field="token"
    >
      The new token and the old one both work until tomorrow.
    </NewSecret>
  );
}
