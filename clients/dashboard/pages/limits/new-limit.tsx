import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { apiPath } from '../../api/request.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
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
  const [name, setName] = useState('');
  const [numbers, setNumbers] = useState({ concurrency: '', max: '', duration: '' });
  const { concurrency, max, duration } = numbers;
  const number = (label: string, field: keyof typeof numbers): VNode => (
    <Field
      label={label}
      inputMode="numeric"
      autocomplete="off"
      value={numbers[field]}
      change={(value) => setNumbers({ ...numbers, [field]: value })}
    />
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
      <Field label="Name" autocomplete="off" value={name} change={setName} />
      {number('Most calls that run at once; any number if empty', 'concurrency')}
      {number('Most starts in a window; any number if empty', 'max')}
      {number('The length of the window, in milliseconds', 'duration')}
    </FormDialog>
  );
}
