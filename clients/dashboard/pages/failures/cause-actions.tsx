import type { VNode } from 'preact';
import type { QueueFailure } from '../../../typescript/src/api.ts';
import { RightButton } from '../../parts/action.tsx';
import { copyText } from '../../parts/copy-button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { bulkAction, type BulkAction } from '../queue/bulk-dialog.tsx';
import { keyOf, setIgnored } from './ignored-causes.ts';

export interface OfCause {
  readonly failure: QueueFailure;
  /** False when none of the jobs is failed any more. */
  readonly isStillFailed: boolean;
  readonly ask: (action: BulkAction) => void;
}

/** The actions on all jobs that failed with one cause. */
export function CauseActions({ failure, isStillFailed, ask }: OfCause): VNode {
  const { queue, cause } = failure;
  const filter = { cause, statuses: ['failed'] };
  return (
    <>
      {isStillFailed ? (
        <>
          <RightButton right="operate" onClick={() => ask(bulkAction('retry', queue, filter))}>
            Retry all …
          </RightButton>
          <RightButton right="operate" onClick={() => ask(bulkAction('clean', queue, filter))}>
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
