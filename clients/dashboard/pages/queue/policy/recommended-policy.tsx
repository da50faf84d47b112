import type { VNode } from 'preact';
import {
  recommendedFor,
  withFields,
  type Settings,
} from '../../../../rules/recommended-settings.ts';
import { apiPath } from '../../../api/request.ts';
import { useResource, type Resource } from '../../../api/resource.ts';
import { perform, RequestShown, type Action } from '../../../parts/action.tsx';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { refuseRedacted } from '../../../parts/edit-registration.tsx';
import { JsonDiff } from '../../../parts/json-diff.tsx';
import type { With } from '../../../parts/properties.ts';

/** One setting that changes. */
interface Change {
  readonly of: string;
  readonly before: object;
  readonly after: object;
  readonly action: Action;
}

/** Shows what production needs and the settings of a queue leave open, and stores it once a person agrees. */
export function RecommendedPolicy({
  queue,
  close,
  saved,
}: With<'queue' | 'close' | 'saved'>): VNode {
  const policy = useResource<object>(apiPath('queues', queue, 'policy'));
  const policyOfAll = useResource<object>('policy');
  const worker = useResource<object>(apiPath('workers', queue));
  const changes =
    isRead(policy, 404) && isRead(policyOfAll, 403, 404) && isRead(worker, 404)
      ? changesOf(queue, saved, {
          policy: policy.data ?? {},
          policyOfAll: policyOfAll.data,
          worker: worker.data,
        })
      : undefined;
  const problems = changes?.map(({ action }) => refuseRedacted({ ...action.request.body }));
  const problem = problems?.find((each) => each !== undefined);
  const error = [policy, policyOfAll, worker].find((each) => each.error)?.error;
  return (
    <Dialog
      title={`Recommended policy of ${queue}`}
      close={close}
      buttons={
        changes !== undefined &&
        changes.length > 0 && (
          <Button
            class="primary"
            disabled={problem !== undefined}
            onClick={() => {
              close();
              for (const { action } of changes) void perform(action);
            }}
          >
            Store
          </Button>
        )
      }
    >
      <p class="context">
        What production needs and this queue leaves open. What is set, in the policy of all queues
        too, stays as it is.
      </p>
      {changes === undefined && <p class="empty">{error?.message ?? 'Loading …'}</p>}
      {changes?.length === 0 && <p class="empty">Nothing is open.</p>}
      {changes?.map(({ of, before, after, action }) => (
        <section key={of} aria-label={of}>
          <h3>{of}</h3>
          <JsonDiff before={before} after={after} />
          <RequestShown request={action.request} />
        </section>
      ))}
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

/** Whether the answer is there, or says with one of these statuses that there is none. */
function isRead({ data, error }: Resource<object>, ...without: readonly number[]): boolean {
  return data !== undefined || (error !== undefined && without.includes(error.status));
}

function changesOf(queue: string, saved: () => void, settings: Settings): readonly Change[] {
  const { policy, worker } = recommendedFor(settings);
  const storing = (request: Action['request'], done: string): Action => {
    return { label: 'Store', right: 'configure', request, done, after: saved };
  };
  const changes: Change[] = [];
  if (policy !== undefined) {
    const body = withFields(settings.policy, policy);
    changes.push({
      of: 'Policy',
      before: settings.policy,
      after: body,
      action: storing(
        { method: 'PUT', path: apiPath('queues', queue, 'policy'), body },
        `The policy of ${queue} is stored`,
      ),
    });
  }
  if (worker !== undefined) {
    const opts = { ...settings.worker?.opts };
    changes.push({
      of: 'Options of the worker',
      before: opts,
      after: { ...opts, ...worker.opts },
      action: storing(
        { method: 'PATCH', path: apiPath('workers', queue), body: worker },
        `The worker of ${queue} has a breaker`,
      ),
    });
  }
  return changes;
}
