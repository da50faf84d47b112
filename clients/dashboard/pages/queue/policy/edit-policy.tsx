import type { VNode } from 'preact';
import { apiPath } from '../../../api/request.ts';
import { useResource } from '../../../api/resource.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { EditJson } from '../../../parts/edit-json.tsx';
import { refuseRedacted } from '../../../parts/edit-registration.tsx';
import { withValueAt } from './field-of.ts';
import { NumberFields, type EditedPolicy } from './number-fields.tsx';
import { WindowFields } from './window-fields.tsx';
import type { With } from '../../../parts/properties.ts';

/** The policy of a queue: the fields that are used most, and all of it as JSON. */
export function EditPolicy({ queue, close, saved }: With<'queue' | 'close' | 'saved'>): VNode {
  const path = apiPath('queues', queue, 'policy');
  const { data, error } = useResource<object>(path);
  const policy = data ?? (error?.status === 404 ? {} : undefined);
  const title = `Policy of ${queue}`;
  if (policy === undefined) {
    return (
      <Dialog title={title} close={close}>
        <p class="empty">{error?.message ?? 'Loading …'}</p>
      </Dialog>
    );
  }
  return (
    <EditJson
      title={title}
      value={policy}
      request={(body) => ({ method: 'PUT', path, body })}
      done={`The policy of ${queue} is stored`}
      close={close}
      saved={saved}
      refuse={refuseRedacted}
      fields={(policy, replace) =>
        policyFields({
          policy,
          change: (at, changed) => replace(withValueAt({ ...policy }, at, changed)),
        })
      }
    />
  );
}

function policyFields(edited: EditedPolicy): VNode {
  return (
    <>
      <p class="context">
        Empty fields set nothing. Options and limits are for jobs that are added from now on.
      </p>
      <NumberFields
        {...edited}
        legend="Options of jobs that are added without them"
        fields={[
          { label: 'Attempts', path: ['defaults', 'attempts'] },
          { label: 'Backoff', path: ['defaults', 'backoff'], unit: 'ms' },
          { label: 'Timeout', path: ['defaults', 'timeout'], unit: 'ms' },
          { label: 'Start within', path: ['defaults', 'ttl'], unit: 'ms' },
        ]}
      />
      <NumberFields
        {...edited}
        legend="Limits of an add"
        fields={[
          { label: 'Most waiting jobs', path: ['maxWaiting'] },
          { label: 'Largest data of a job', path: ['maxJobSize'], unit: 'bytes' },
        ]}
      />
      <WindowFields {...edited} />
      <NumberFields
        {...edited}
        legend="What stays of jobs that ended"
        fields={[
          { label: 'Completed, for', path: ['retention', 'completed', 'age'], unit: 's' },
          { label: 'Completed, at most', path: ['retention', 'completed', 'count'] },
          { label: 'Failed, for', path: ['retention', 'failed', 'age'], unit: 's' },
          { label: 'Failed, at most', path: ['retention', 'failed', 'count'] },
          { label: 'Their values, for', path: ['payloads', 'keep'], unit: 'ms' },
        ]}
      />
    </>
  );
}
