import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Group, GroupSettings } from '../../../../typescript/src/api.ts';
import { ApiError, apiPath, call, type ApiRequest } from '../../../api/request.ts';
import { RequestShown } from '../../../parts/action.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { toast } from '../../../parts/toasts.tsx';

/** The weight and the limits of one group, which replace the defaults of the queue. */
export function GroupDialog({
  queue,
  group: { id, settings },
  close,
  saved,
}: {
  readonly queue: string;
  readonly group: Group;
  readonly close: () => void;
  readonly saved: () => void;
}): VNode {
  const [weight, setWeight] = useState(String(settings?.weight ?? ''));
  const [concurrency, setConcurrency] = useState(String(settings?.concurrency ?? ''));
  const [max, setMax] = useState(String(settings?.limiter?.max ?? ''));
  const [seconds, setSeconds] = useState(String((settings?.limiter?.duration ?? 1000) / 1000));
  const [problem, setProblem] = useState('');
  const path = apiPath('queues', queue, 'groups', id);
  const { maxWaiting, expires } = settings ?? {};
  const body: GroupSettings = {
    ...(weight !== '' && { weight: Number(weight) }),
    ...(concurrency !== '' && { concurrency: Number(concurrency) }),
    ...(max !== '' && { limiter: { max: Number(max), duration: Number(seconds) * 1000 } }),
    ...(maxWaiting !== undefined && { maxWaiting }),
    ...(expires !== undefined && { expires }),
  };
  const request: ApiRequest = { method: 'PUT', path, body };
  const send = async (sent: ApiRequest, done: string): Promise<void> => {
    try {
      await call(sent);
      toast(done, { request: sent });
      close();
      saved();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
    }
  };
  return (
    <Dialog title={`Group ${id} of ${queue}`} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(request, `The settings of ${id} are stored`);
        }}
      >
        <NumberField label="Weight, 1 to 100" value={weight} change={setWeight} />
        <NumberField label="Most jobs at a time" value={concurrency} change={setConcurrency} />
        <NumberField label="Most starts" value={max} change={setMax} />
        <NumberField label="in so many seconds" value={seconds} change={setSeconds} />
        <p class="muted">What is empty is as for all groups of the queue.</p>
        <p role="alert" class="problem">
          {problem}
        </p>
        <RequestShown request={request} />
        <div class="buttons">
          <button type="submit" class="primary">
            Save
          </button>
          {settings !== null && (
            <button
              type="button"
              onClick={() => void send({ method: 'DELETE', path }, `${id} has no settings now`)}
            >
              Remove its settings
            </button>
          )}
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function NumberField({
  label,
  value,
  change,
}: {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}): VNode {
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
