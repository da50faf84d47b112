import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { apiPath } from '../../api/request.ts';
import { pageLink } from '../../navigation/route.ts';
import { RightButton } from '../../parts/action.tsx';
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
  const [isAsked, setAsked] = useState(false);
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
      <RightButton right="operate" onClick={() => setAsked(true)}>
        Redrive …
      </RightButton>
      {isAsked && (
        <BulkDialog
          action={{
            label: 'Redrive',
            past: 'brought back',
            path: apiPath('queues', queue, 'redrive'),
            queue,
            filter: undefined,
          }}
          close={() => {
            setAsked(false);
            done();
          }}
        />
      )}
    </p>
  );
}
