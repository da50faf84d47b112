import type { VNode } from 'preact';
import type { JobSummary } from '../../api/answers.ts';
import { apiPath, type Method } from '../../api/request.ts';
import { goTo, pageLink } from '../../navigation/route.ts';
import { ActionButton, type Action } from '../../parts/action.tsx';
import { RetryWithChanges } from './retry-with-changes.tsx';

/** The actions that the state of the job allows. */
export function JobActions({
  queue,
  job: { id, state },
  refresh,
}: {
  readonly queue: string;
  readonly job: JobSummary;
  readonly refresh: () => void;
}): VNode {
  const action = (label: string, done: string, method: Method, verb?: string): Action => ({
    label,
    right: 'operate',
    request: {
      method,
      path: apiPath('queues', queue, 'jobs', id, ...(verb === undefined ? [] : [verb])),
    },
    done: `Job ${id} ${done}`,
    after: refresh,
  });
  const isFinished = state === 'completed' || state === 'failed';
  return (
    <>
      {isFinished && (
        <>
          <ActionButton kind="primary" action={action('Retry', 'waits again', 'POST', 'retry')} />
          <RetryWithChanges queue={queue} id={id} done={refresh} />
        </>
      )}
      {state === 'delayed' && (
        <ActionButton action={action('Promote', 'waits no longer', 'POST', 'promote')} />
      )}
      {!isFinished && (
        <ActionButton
          action={{
            ...action('Cancel', 'is cancelled', 'POST', 'cancel'),
            warning: 'The job fails for good, and a running call is aborted.',
          }}
        />
      )}
      {state !== 'active' && (
        <ActionButton
          action={{
            ...action('Delete', 'is deleted', 'DELETE'),
            warning: 'Removes the job with its data, attempts and logs.',
            after: () => goTo(pageLink(['queues', queue], { state })),
          }}
        />
      )}
    </>
  );
}
