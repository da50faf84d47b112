import type { VNode } from 'preact';
import { pageLink } from '../../navigation/route.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { bulkAction, BulkDialog } from './bulk-dialog.tsx';
import type { With } from '../../parts/properties.ts';

/** How many sources are named. */
const NAMED = 5;

/** That a queue holds the letters of others, with the way to bring them back. */
export function DeadLetters({
  queue,
  from,
  done,
}: With<'queue' | 'done', { from: readonly string[] }>): VNode {
  const named = from.slice(0, NAMED);
  return (
    <p class="notice">
      Dead letters
      {named.length > 0 && ' of '}
      {named.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <a href={pageLink(['queues', name])}>
            <bdi>{name}</bdi>
          </a>
        </span>
      ))}
      {from.length > NAMED && ` and ${from.length - NAMED} more`}: jobs that failed wait here, and
      need no worker.{' '}
      <DialogButton
        label="Redrive …"
        right="operate"
        dialog={(close) => (
          <BulkDialog action={bulkAction('redrive', queue, undefined)} close={close} done={done} />
        )}
      />
    </p>
  );
}
