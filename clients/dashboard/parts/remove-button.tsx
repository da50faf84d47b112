import type { VNode } from 'preact';
import { apiPath } from '../api/request.ts';
import { goTo, pageLink } from '../navigation/route.ts';
import { ActionDialog } from './action.tsx';
import { DialogButton } from './dialog-button.tsx';
import type { With } from './properties.ts';

/** Removes what a page is about once its name is typed, and goes to the list of its kind. */
export function RemoveButton({
  kind,
  name,
  title = `Remove the ${kind} ${name}`,
  done = `The ${kind} ${name} is removed`,
  children,
}: With<
  'name' | 'children',
  { kind: 'hook' | 'limit' | 'worker'; title?: string; done?: string }
>): VNode {
  const kinds = `${kind}s`;
  const removal = {
    label: `Remove the ${kind}`,
    right: 'configure',
    request: { method: 'DELETE', path: apiPath(kinds, name) },
    done,
    after: () => goTo(pageLink([kinds])),
  } as const;
  return (
    <DialogButton
      label="Remove …"
      right="configure"
      dialog={(close) => (
        <ActionDialog title={title} expected={name} close={close} actions={[removal]}>
          <p>{children}</p>
        </ActionDialog>
      )}
    />
  );
}
