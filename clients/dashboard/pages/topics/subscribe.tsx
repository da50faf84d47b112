import type { VNode } from 'preact';
import { apiPath, type ApiRequest } from '../../api/request.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { useDraft } from '../../parts/draft.ts';
import { Field } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import type { With } from '../../parts/properties.ts';
import { attempted } from '../queue/add-job.tsx';

/** A button that opens the form of a new subscription. @param topic of it; typed unless given. */
export function Subscribe(properties: {
  readonly topic?: string;
  readonly saved: () => void;
}): VNode {
  return (
    <DialogButton
      label="Subscribe …"
      right="configure"
      class="primary"
      dialog={(close) => <SubscribeDialog {...properties} close={close} />}
    />
  );
}

function SubscribeDialog({
  topic: given = '',
  saved,
  close,
}: With<'close', { topic?: string; saved: () => void }>): VNode {
  const { draft, field } = useDraft({ topic: given, id: '', queue: '', filter: '{}' });
  const { topic, id, queue, filter } = draft;
  const request = attempted((): ApiRequest => ({
    method: 'PUT',
    path: apiPath('topics', topic || '…', 'subscriptions', id || '…'),
    body: { queue, filter: JSON.parse(filter) as unknown },
  }));
  return (
    <FormDialog
      title="New subscription"
      request={request}
      done={() => `The subscription ${id} is stored`}
      saved={saved}
      close={close}
      isReady={topic !== '' && id !== '' && queue !== ''}
    >
      {given === '' && <Field label="Topic" autocomplete="off" {...field('topic')} />}
      <Field label="Id" autocomplete="off" {...field('id')} />
      <Field label="Queue" autocomplete="off" {...field('queue')} />
      <JsonField
        label='Filter, such as {"name": ["paid"], "data": {"customer.country": ["de"]}}'
        rows={4}
        {...field('filter')}
      />
    </FormDialog>
  );
}
