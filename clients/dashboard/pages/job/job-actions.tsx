import type { VNode } from 'preact';
import type { Step } from '../../../typescript/src/api.ts';
import { counted } from '../../../rules/counted.ts';
import { asCurl } from '../../api/curl.ts';
import { apiPath, type Method } from '../../api/request.ts';
import { goTo, pageLink } from '../../navigation/route.ts';
import { ActionButton, type Action } from '../../parts/action.tsx';
import { copyText } from '../../parts/copy-button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Duplicate } from './duplicate.tsx';
import { RetryWithChanges } from './retry-with-changes.tsx';
import { isFinished, retrying } from './retrying.ts';
import type { With } from '../../parts/properties.ts';

/** The actions that the state of the job allows. */
export function JobActions({
  queue,
  job,
  refresh,
  steps,
}: With<'queue' | 'job' | 'refresh', { steps: readonly Step[] }>): VNode {
  const { id, state } = job;
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
  const retry = retrying(queue, id, refresh);
  const startOver: Action = {
    ...retry,
    label: 'Forget and retry',
    request: { ...retry.request, body: { steps: 'forget' } },
    warning: `Job ${id} starts over, and its endpoint does ${counted(steps.length, 'saved step')} again.`,
  };
  const awaited = job.suspended?.signals ?? [];
  const promote: Action = {
    ...action('Promote', 'waits no longer', 'POST', 'promote'),
    ...(awaited.length > 0 && {
      warning: `Job ${id} goes on as if ${awaited.join(' and ')} had not come in time.`,
    }),
  };
  const cancel: Action = {
    ...action('Cancel', 'is cancelled', 'POST', 'cancel'),
    warning: 'The job fails for good, and a running call is aborted.',
  };
  const remove: Action = {
    ...action('Delete', 'is deleted', 'DELETE'),
    warning: 'Removes the job with its data, attempts and logs.',
    after: () => goTo(pageLink(['queues', queue], { state })),
  };
  const hasEnded = isFinished(job);
  const shown = [
    ...(hasEnded && steps.length > 0 ? [startOver] : []),
    ...(hasEnded ? [] : [cancel]),
    ...(state === 'delayed' ? [promote] : []),
    ...(state === 'active' ? [] : [remove]),
  ];
  return (
    <>
      {hasEnded && (
        <>
          <ActionButton class="primary" action={retry} />
          <RetryWithChanges queue={queue} id={id} done={refresh} />
        </>
      )}
      <Duplicate queue={queue} job={job} />
      {shown.map((each) => (
        <ActionButton key={each.label} action={each} />
      ))}
      <Menu
        label={`More about job ${id}`}
        items={[
          { label: 'Show its flow', choose: () => goTo(pageLink(['flows', queue, id])) },
          ...[...(hasEnded ? [retry] : []), ...shown].map(({ label, request }) => ({
            label: `Copy ${label} as curl`,
            choose: () => void copyText(asCurl(request)),
          })),
        ]}
      />
    </>
  );
}
