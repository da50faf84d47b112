import type { VNode } from 'preact';
import type { QueueFailure } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { RightButton } from '../../parts/action.tsx';
import { copyText } from '../../parts/copy-button.tsx';
import { Menu } from '../../parts/menu.tsx';
import type { BulkAction } from '../queue/bulk-dialog.tsx';
import { keyOf, setIgnored } from './ignored-causes.ts';

/** The actions on all jobs that failed with one cause. */
export function CauseActions({
  failure,
  isStillFailed,
  ask,
}: {
  readonly failure: QueueFailure;
  /** False when none of the jobs is failed any more. */
  readonly isStillFailed: boolean;
  readonly ask: (action: BulkAction) => void;
}): VNode {
  const { queue, cause } = failure;
  const filter = { cause, statuses: ['failed'] };
  const path = (verb: string): string => apiPath('queues', queue, verb);
  const retry = { label: 'Retry', past: 'retried', path: path('retry'), queue, filter };
  const clean = { label: 'Delete', past: 'deleted', path: path('clean'), queue, filter };
  return (
    <>
      {isStillFailed ? (
        <>
          <RightButton right="operate" onClick={() => ask(retry)}>
            Retry all …
          </RightButton>
          <RightButton right="operate" onClick={() => ask(clean)}>
            Delete all …
          </RightButton>
        </>
      ) : (
        <span class="muted">no longer failed</span>
      )}
      <Menu
        label={`More about ${cause}`}
        items={[
          { label: 'Ignore for a day', choose: () => setIgnored(keyOf(failure), true) },
          { label: 'Copy the filter', choose: () => void copyText(JSON.stringify(filter)) },
        ]}
      />
    </>
  );
}
