import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, apiPath, call, type ApiRequest } from '../../api/request.ts';
import { RequestShown, RightButton } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ShownSecret } from '../../parts/new-secret.tsx';
import { toast } from '../../parts/toasts.tsx';
import { bodyOf, EMPTY_DRAFT, EVENTS, FORMATS, NEEDS, type HookDraft } from './hook-draft.ts';

/** A button that opens the form of a new hook. */
export function NewHook({ saved }: { readonly saved: () => void }): VNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <RightButton right="configure" kind="primary" onClick={() => setIsOpen(true)}>
        New hook …
      </RightButton>
      {isOpen && <NewHookDialog saved={saved} close={() => setIsOpen(false)} />}
    </>
  );
}

function NewHookDialog({
  saved,
  close,
}: {
  readonly saved: () => void;
  readonly close: () => void;
}): VNode {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [secret, setSecret] = useState<string | undefined>();
  const { id, events } = draft;
  const change = (changes: Partial<HookDraft>): void => {
    setDraft({ ...draft, ...changes });
    setProblem('');
  };
  const request: ApiRequest = {
    method: 'PUT',
    path: apiPath('hooks', id || '…'),
    body: bodyOf(draft),
  };
  const save = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const answer = await call<{ readonly secret?: string }>(request);
      toast(`The hook ${id} is stored`, { request });
      saved();
      if (answer.secret === undefined) close();
      else setSecret(answer.secret);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
    }
    setIsBusy(false);
  };
  if (secret !== undefined) {
    return (
      <Dialog title={`The signing secret of ${id}`} close={close}>
        <ShownSecret secret={secret} />
        <div class="buttons">
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="New hook" close={close}>
      <Field label="Id" value={id} change={(value) => change({ id: value })} />
      <Field label="URL" value={draft.url} change={(value) => change({ url: value })} />
      <fieldset class="choices">
        <legend>What it says</legend>
        {EVENTS.map(([name, meaning]) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={events.includes(name)}
              onChange={({ currentTarget: { checked } }) => {
                const others = events.filter((each) => each !== name);
                change({ events: checked ? [...others, name] : others });
              }}
            />
            <code>{name}</code> <span class="muted">{meaning}</span>
          </label>
        ))}
      </fieldset>
      {events.map((event) => {
        const need = NEEDS[event];
        return (
          need && (
            <Field
              key={event}
              label={need.label}
              isNumber
              value={draft.needs[need.field] ?? ''}
              change={(value) => change({ needs: { ...draft.needs, [need.field]: value } })}
            />
          )
        );
      })}
      <Field
        label="Queues: names or patterns with *, separated by commas; all if empty"
        value={draft.queues}
        change={(value) => change({ queues: value })}
      />
      <label>
        Format
        <select
          value={draft.format}
          onChange={({ currentTarget }) => change({ format: currentTarget.value })}
        >
          {FORMATS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <p role="alert" class="problem">
        {problem}
      </p>
      <RequestShown request={request} />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={isBusy || id === '' || events.length === 0}
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

function Field({
  label,
  value,
  change,
  isNumber = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly isNumber?: boolean;
}): VNode {
  return (
    <label>
      {label}
      <input
        type="text"
        inputMode={isNumber ? 'decimal' : undefined}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
}
