import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, apiPath, call, send, type ApiRequest } from '../../api/request.ts';
import { may } from '../../api/session.ts';
import { RequestShown, RightButton } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import { toast } from '../../parts/toasts.tsx';
import { attempted } from '../queue/add-job.tsx';

/** Starts a finished job over, with other data or options. */
export function RetryWithChanges({
  queue,
  id,
  done,
}: {
  readonly queue: string;
  readonly id: string;
  readonly done: () => void;
}): VNode {
  const [isOpen, setIsOpen] = useState(false);
  const [data, setData] = useState('');
  const [options, setOptions] = useState('');
  const [problem, setProblem] = useState('');
  const path = apiPath('queues', queue, 'jobs', id);
  const open = async (): Promise<void> => {
    setIsOpen(true);
    if (!may('data')) return;
    try {
      setData(await (await send({ method: 'GET', path: `${path}/data` })).text());
    } catch (error) {
      setProblem(textOf(error));
    }
  };
  const request = (): ApiRequest => ({
    method: 'POST',
    path: `${path}/retry`,
    body: {
      ...(data.trim() !== '' && { data: JSON.parse(data) as unknown }),
      ...(options.trim() !== '' && { opts: JSON.parse(options) as unknown }),
    },
  });
  const shown = attempted(request);
  const retry = async (): Promise<void> => {
    try {
      const sent = request();
      await call(sent);
      toast(`Job ${id} waits again`, { request: sent });
      setIsOpen(false);
      done();
    } catch (error) {
      setProblem(textOf(error));
    }
  };
  return (
    <>
      <RightButton right="operate" onClick={() => void open()}>
        Retry with changes …
      </RightButton>
      {isOpen && (
        <Dialog title={`Retry job ${id}`} close={() => setIsOpen(false)}>
          <JsonField label="Data, as JSON" rows={8} value={data} change={setData} />
          <JsonField
            label="Options: attempts, backoff, priority"
            rows={2}
            placeholder='{"attempts": 3}'
            value={options}
            change={setOptions}
          />
          <p role="alert" class="problem">
            {problem}
          </p>
          {shown && <RequestShown request={shown} />}
          <div class="buttons">
            <button type="button" class="primary" onClick={() => void retry()}>
              Retry
            </button>
            <button type="button" onClick={() => setIsOpen(false)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function textOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Data and options must be JSON';
}
