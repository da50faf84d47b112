import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, apiPath, call, type ApiRequest } from '../../api/request.ts';
import { RequestShown, RightButton } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import { toast } from '../../parts/toasts.tsx';

/** A button that opens the form of a new job. */
export function AddJob({
  queue,
  added,
}: {
  readonly queue: string;
  readonly added: () => void;
}): VNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <RightButton right="add" kind="primary" onClick={() => setIsOpen(true)}>
        Add job
      </RightButton>
      {isOpen && (
        <AddJobDialog queue={queue} draft={EMPTY} added={added} close={() => setIsOpen(false)} />
      )}
    </>
  );
}

export interface JobDraft {
  readonly name: string;
  /** JSON text, like the options. */
  readonly data: string;
  readonly options: string;
}

const EMPTY: JobDraft = { name: '', data: '{}', options: '{}' };

export function AddJobDialog({
  queue,
  draft,
  added,
  close,
}: {
  readonly queue: string;
  readonly draft: JobDraft;
  readonly added: (id: string) => void;
  readonly close: () => void;
}): VNode {
  const [name, setName] = useState(draft.name);
  const [data, setData] = useState(draft.data);
  const [options, setOptions] = useState(draft.options);
  const [problem, setProblem] = useState('');
  const request = (): ApiRequest => ({
    method: 'POST',
    path: apiPath('queues', queue, 'jobs'),
    body: [{ name, data: JSON.parse(data) as unknown, opts: JSON.parse(options) as unknown }],
  });
  const shown = attempted(request);
  const add = async (): Promise<void> => {
    try {
      const sent = request();
      const [job] = await call<{ id: string }[]>(sent);
      toast(`Job ${job?.id ?? ''} is added`, { request: sent });
      close();
      added(job?.id ?? '');
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'Data and options must be JSON');
    }
  };
  return (
    <Dialog title={`Add a job to ${queue}`} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label>
          Name
          <input
            type="text"
            required
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <JsonField label="Data, as JSON" rows={6} value={data} change={setData} />
        <JsonField
          label='Options, such as {"attempts": 3, "delay": 60000}'
          rows={2}
          value={options}
          change={setOptions}
        />
        <p role="alert" class="problem">
          {problem}
        </p>
        {shown && <RequestShown request={shown} />}
        <div class="buttons">
          <button type="submit" class="primary">
            Add
          </button>
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The result, or undefined while a text that it is built from is not valid JSON yet. */
export function attempted<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
