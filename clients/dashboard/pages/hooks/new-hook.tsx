import type { VNode } from 'preact';
import type { SavedHook } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { useDraft } from '../../parts/draft.ts';
import { Choice, Field } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useMadeSecret } from '../../parts/new-secret.tsx';
import { bodyOf, EMPTY_DRAFT, EVENTS, FORMATS, NEEDS } from './hook-draft.ts';
import type { With } from '../../parts/properties.ts';

/** A button that opens the form of a new hook. */
export function NewHook({ saved }: { readonly saved: () => void }): VNode {
  const secret = useMadeSecret();
  const take = (hook: SavedHook): void => {
    secret.take(hook.id, hook);
    saved();
  };
  return (
    <>
      <DialogButton
        label="New hook …"
        right="configure"
        class="primary"
        dialog={(close) => <NewHookDialog saved={take} close={close} />}
      />
      {secret.dialog}
    </>
  );
}

function NewHookDialog({
  saved,
  close,
}: With<'close', { saved: (hook: SavedHook) => void }>): VNode {
  const { draft, change, field } = useDraft(EMPTY_DRAFT);
  const { id, events } = draft;
  return (
    <FormDialog
      title="New hook"
      request={{ method: 'PUT', path: apiPath('hooks', id || '…'), body: bodyOf(draft) }}
      done={() => `The hook ${id} is stored`}
      saved={saved}
      close={close}
      isReady={id !== '' && events.length > 0}
    >
      <Field label="Id" autocomplete="off" {...field('id')} />
      <Field label="URL" autocomplete="off" {...field('url')} />
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
              inputMode="decimal"
              autocomplete="off"
              value={draft.needs[need.field] ?? ''}
              change={(value) => change({ needs: { ...draft.needs, [need.field]: value } })}
            />
          )
        );
      })}
      <Field
        label="Queues: names or patterns with *, separated by commas; all if empty"
        autocomplete="off"
        {...field('queues')}
      />
      <Choice label="Format" values={FORMATS} {...field('format')} />
    </FormDialog>
  );
}
