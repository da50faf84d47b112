import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { GroupSettings } from '../../../../typescript/src/api.ts';
import { apiPath } from '../../../api/request.ts';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import type { With } from '../../../parts/properties.ts';

/** The weight and the limits of one group, which replace the defaults of the queue. */
export function GroupDialog({
  queue,
  group: { id, settings },
  close,
  saved,
}: With<'queue' | 'group' | 'close' | 'saved'>): VNode {
  const [weight, setWeight] = useState(String(settings?.weight ?? ''));
  const [concurrency, setConcurrency] = useState(String(settings?.concurrency ?? ''));
  const [max, setMax] = useState(String(settings?.limiter?.max ?? ''));
  const [seconds, setSeconds] = useState(String((settings?.limiter?.duration ?? 1000) / 1000));
  const path = apiPath('queues', queue, 'groups', id);
  const { maxWaiting, expires } = settings ?? {};
  const body: GroupSettings = {
    ...(weight !== '' && { weight: Number(weight) }),
    ...(concurrency !== '' && { concurrency: Number(concurrency) }),
    ...(max !== '' && { limiter: { max: Number(max), duration: Number(seconds) * 1000 } }),
    ...(maxWaiting !== undefined && { maxWaiting }),
    ...(expires !== undefined && { expires }),
  };
  return (
    <FormDialog
      title={`Group ${id} of ${queue}`}
      request={{ method: 'PUT', path, body }}
      done={() => `The settings of ${id} are stored`}
      saved={saved}
      close={close}
      isForm
      other={
        settings !== null && {
          label: 'Remove its settings',
          request: { method: 'DELETE', path },
          done: `${id} has no settings now`,
        }
      }
    >
      <NumberField label="Weight, 1 to 100" value={weight} change={setWeight} />
      <NumberField label="Most jobs at a time" value={concurrency} change={setConcurrency} />
      <NumberField label="Most starts" value={max} change={setMax} />
      <NumberField label="in so many seconds" value={seconds} change={setSeconds} />
      <p class="muted">What is empty is as for all groups of the queue.</p>
    </FormDialog>
  );
}

function NumberField({ label, value, change }: With<'label' | 'value' | 'change'>): VNode {
  return (
    <label>
      {label}
      <input
        type="number"
        min="0"
        step="any"
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
}
