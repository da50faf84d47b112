import type { VNode } from 'preact';
import { apiPath } from '../../api/request.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { useDraft } from '../../parts/draft.ts';
import { Field } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import type { With } from '../../parts/properties.ts';

/** A button that opens the form of a new limit. */
export function NewLimit({ saved }: { readonly saved: () => void }): VNode {
  return (
    <DialogButton
      label="New limit …"
      right="configure"
      class="primary"
      dialog={(close) => <NewLimitDialog saved={saved} close={close} />}
    />
  );
}

function NewLimitDialog({ saved, close }: With<'close', { saved: () => void }>): VNode {
  const { draft, field } = useDraft({ name: '', concurrency: '', max: '', duration: '' });
  const { name, concurrency, max, duration } = draft;
  const number = (label: string, of: keyof typeof draft): VNode => (
    <Field label={label} inputMode="numeric" autocomplete="off" {...field(of)} />
  );
  const body = {
    ...(concurrency !== '' && { concurrency: Number(concurrency) }),
    ...(max !== '' && { limiter: { max: Number(max), duration: Number(duration) } }),
  };
  return (
    <FormDialog
      title="New limit"
      request={{ method: 'PUT', path: apiPath('limits', name || '…'), body }}
      done={() => `The limit ${name} is stored`}
      saved={saved}
      close={close}
      isReady={name !== '' && Object.keys(body).length > 0}
    >
      <Field label="Name" autocomplete="off" {...field('name')} />
      {number('Most calls that run at once; any number if empty', 'concurrency')}
      {number('Most starts in a window; any number if empty', 'max')}
      {number('The length of the window, in milliseconds', 'duration')}
    </FormDialog>
  );
}
