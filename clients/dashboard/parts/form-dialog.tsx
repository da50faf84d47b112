import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call, messageOf, type ApiRequest } from '../api/request.ts';
import { RequestShown, type Action } from './action.tsx';
import { Button } from './button.tsx';
import { Buttons, Form, Modal, type DialogProperties } from './dialog.tsx';
import { Problem } from './problem.tsx';
import { toast } from './toasts.tsx';

/** A dialog whose fields make one request, with the error of the service beside them. */
export function FormDialog<Answer>({
  title,
  request,
  verb = 'Save',
  done,
  saved,
  close,
  mistake,
  problem = '',
  isReady = true,
  isForm = false,
  other,
  effect,
  children,
}: DialogProperties & {
  /** Undefined while a field is not valid JSON. */
  readonly request: ApiRequest | undefined;
  readonly verb?: string;
  /** The message after a success. */
  readonly done: (answer: Answer) => string;
  readonly saved: (answer: Answer) => void;
  /** Why the request must not be sent. */
  readonly mistake?: string | undefined;
  /** Mistake in the fields, shown before the form is sent. */
  readonly problem?: string;
  readonly isReady?: boolean;
  /** Whether the Enter key sends it too. */
  readonly isForm?: boolean;
  /** A request in place of that of the fields. */
  readonly other?: Pick<Action, 'label' | 'request' | 'done'> | false;
  /** Description of the change that the request makes. */
  readonly effect?: ComponentChildren;
}): VNode {
  const [failure, setFailure] = useState({ text: '', of: '' });
  const [isBusy, setIsBusy] = useState(false);
  const sending = JSON.stringify(request ?? null);
  const fail = (text: string): void => setFailure({ text, of: sending });
  const send = async (sent: ApiRequest, text: (answer: Answer) => string): Promise<void> => {
    setIsBusy(true);
    try {
      const answer = await call<Answer>(sent);
      toast(text(answer), { request: sent });
      close();
      saved(answer);
    } catch (error) {
      fail(messageOf(error));
      setIsBusy(false);
    }
  };
  const submit = (): void => {
    if (request === undefined) fail('Data and options must be JSON');
    else void send(request, done);
  };
  const fields = (
    <>
      {children}
      <Problem>{mistake ?? (failure.of === sending ? failure.text : problem)}</Problem>
      {effect}
      {request && <RequestShown request={request} />}
      <Buttons close={close}>
        <button
          type={isForm ? 'submit' : 'button'}
          class="primary"
          disabled={mistake !== undefined || !isReady || isBusy}
          onClick={isForm ? undefined : submit}
        >
          {verb}
        </button>
        {other && (
          <Button onClick={() => void send(other.request, () => other.done)}>{other.label}</Button>
        )}
      </Buttons>
    </>
  );
  return (
    <Modal title={title} close={close}>
      {isForm ? <Form submit={submit}>{fields}</Form> : fields}
    </Modal>
  );
}
