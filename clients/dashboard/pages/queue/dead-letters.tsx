import type { VNode } from 'preact';
import { apiPath } from '../../api/request.ts';
import { pageLink } from '../../navigation/route.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { BulkDialog } from './bulk-dialog.tsx';

/** How many sources are named. */
const NAMED = 5;

/** That a queue holds the letters of others, with the way to bring them back. */
export function DeadLetters({
  queue,
  from,
  done,
}: {
  readonly queue: string;
  readonly from: readonly string[];
  readonly done: () => void;
}): VNode {
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
          <BulkDialog
            action={{
              label: 'Redrive',
              past: 'brought back',
              path: apiPath('queues', queue, 'redrive'),
              queue,
              filter: undefined,
            }}
            close={() => {
              close();
              done();
            }}
          />
        )}
      />
    </p>
  );
}
