import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call, type ApiRequest } from '../api/request.ts';
import { RequestShown } from './action.tsx';
import { Dialog } from './dialog.tsx';
import { JsonField } from './json-field.tsx';
import { JsonDiff } from './json-diff.tsx';
import { toast } from './toasts.tsx';

/** Edits a JSON value, and shows the change before it is made. */
export function EditJson({
  title,
  value,
  request,
  done,
  close,
  saved,
  refuse,
  preview,
  fields,
}: {
  readonly title: string;
  readonly value: object;
  /** The request that stores a value. */
  readonly request: (value: object) => ApiRequest;
  /** The message after a success. */
  readonly done: string;
  readonly close: () => void;
  readonly saved: (answer: unknown) => void;
  /** Returns why a value must not be sent. */
  readonly refuse?: (value: object) => string | undefined;
  /** Shows the effect of the new value; null while the text is not valid JSON. */
  readonly preview?: (value: object | null) => ComponentChildren;
  /** Fields of a form for parts of the value; not shown while the text is not valid JSON. */
  readonly fields?: (value: object, replace: (value: object) => void) => ComponentChildren;
}): VNode {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const changed = objectOf(text);
  const mistake = changed === null ? 'This is not a JSON object' : refuse?.(changed);
  const save = async (): Promise<void> => {
    if (changed === null) return;
    setIsBusy(true);
    try {
      const sent = request(changed);
      const answer = await call(sent);
      toast(done, { request: sent });
      close();
      saved(answer);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
      setIsBusy(false);
    }
  };
  const type = (typed: string): void => {
    setText(typed);
    setProblem('');
  };
  return (
    <Dialog title={title} close={close}>
      {changed !== null && fields?.(changed, (value) => type(JSON.stringify(value, null, 2)))}
      <JsonField label="As JSON" rows={12} value={text} change={type} />
      {preview?.(changed)}
      <p role="alert" class="problem">
        {mistake ?? problem}
      </p>
      {changed !== null && (
        <>
          <JsonDiff before={value} after={changed} />
          <RequestShown request={request(changed)} />
        </>
      )}
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={mistake !== undefined || isBusy}
          onClick={() => void save()}
        >
          Save
        </button>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function objectOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
