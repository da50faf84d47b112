import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Job } from '../../../typescript/src/api.ts';
import { apiPath, type ApiRequest } from '../../api/request.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { Field } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import type { With } from '../../parts/properties.ts';

/** A button that opens the form of a new job. */
export function AddJob({ queue, added }: With<'queue', { added: () => void }>): VNode {
  return (
    <DialogButton
      label="Add job"
      right="add"
      class="primary"
      dialog={(close) => <AddJobDialog queue={queue} draft={EMPTY} added={added} close={close} />}
    />
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
}: With<'queue' | 'close', { draft: JobDraft; added: (id: string) => void }>): VNode {
  const [name, setName] = useState(draft.name);
  const [data, setData] = useState(draft.data);
  const [options, setOptions] = useState(draft.options);
  const request = attempted((): ApiRequest => ({
    method: 'POST',
    path: apiPath('queues', queue, 'jobs'),
    body: [{ name, data: JSON.parse(data) as unknown, opts: JSON.parse(options) as unknown }],
  }));
  return (
    <FormDialog<readonly Job[]>
      title={`Add a job to ${queue}`}
      request={request}
      verb="Add"
      done={([job]) => `Job ${job?.id ?? ''} is added`}
      saved={([job]) => added(job?.id ?? '')}
      close={close}
      isForm
    >
      <Field label="Name" required value={name} change={setName} />
      <JsonField label="Data, as JSON" rows={6} value={data} change={setData} />
      <JsonField
        label='Options, such as {"attempts": 3, "delay": 60000}'
        rows={2}
        value={options}
        change={setOptions}
      />
    </FormDialog>
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
