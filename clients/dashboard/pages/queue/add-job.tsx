import type { VNode } from 'preact';
import type { Job } from '../../../typescript/src/api.ts';
import { apiPath, type ApiRequest } from '../../api/request.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { useDraft } from '../../parts/draft.ts';
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
  draft: initial,
  added,
  close,
}: With<'queue' | 'close', { draft: JobDraft; added: (id: string) => void }>): VNode {
  const { draft, field } = useDraft(initial);
  const { name, data, options } = draft;
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
      <Field label="Name" required {...field('name')} />
      <JsonField label="Data, as JSON" rows={6} {...field('data')} />
      <JsonField
        label='Options, such as {"attempts": 3, "delay": 60000}'
        rows={2}
        {...field('options')}
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
