import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, apiPath, call, type ApiRequest } from '../../api/request.ts';
import { RequestShown, RightButton } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { toast } from '../../parts/toasts.tsx';

export function AddJob({
  queue,
  added,
}: {
  readonly queue: string;
  readonly added: () => void;
}): VNode {
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState('');
  const [data, setData] = useState('{}');
  const [options, setOptions] = useState('{}');
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
      setIsOpen(false);
      setProblem('');
      added();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'Data and options must be JSON');
    }
  };
  return (
    <>
      <RightButton right="add" kind="primary" onClick={() => setIsOpen(true)}>
        Add job
      </RightButton>
      {isOpen && (
        <Dialog title={`Add a job to ${queue}`} close={() => setIsOpen(false)}>
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
            <label>
              Data, as JSON
              <textarea
                rows={6}
                spellcheck={false}
                value={data}
                onInput={({ currentTarget }) => setData(currentTarget.value)}
              />
            </label>
            <label>
              Options, such as {'{"attempts": 3, "delay": 60000}'}
              <textarea
                rows={2}
                spellcheck={false}
                value={options}
                onInput={({ currentTarget }) => setOptions(currentTarget.value)}
              />
            </label>
            <p role="alert" class="problem">
              {problem}
            </p>
            {shown && <RequestShown request={shown} />}
            <div class="buttons">
              <button type="submit" class="primary">
                Add
              </button>
              <button type="button" onClick={() => setIsOpen(false)}>
                Close
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}

/** The result, or undefined while a text that it is made from is not JSON yet. */
export function attempted<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
