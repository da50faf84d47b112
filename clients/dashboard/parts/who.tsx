import type { VNode } from 'preact';
import type { AuditEntry } from '../../typescript/src/api.ts';

/** The caller of an audit entry: several tokens may have the name, so the id follows where it is another. */
export function Who({ who: { id, name } }: { readonly who: AuditEntry['who'] }): VNode {
  return (
    <>
      <bdi>{name}</bdi>
      {id !== undefined && id !== name && <span class="id muted"> {id}</span>}
    </>
  );
}
