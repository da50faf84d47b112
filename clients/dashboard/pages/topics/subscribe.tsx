import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { apiPath, type ApiRequest } from '../../api/request.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
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
  const [topic, setTopic] = useState(given);
  const [id, setId] = useState('');
  const [queue, setQueue] = useState('');
  const [filter, setFilter] = useState('{}');
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
      {given === '' && <Field label="Topic" autocomplete="off" value={topic} change={setTopic} />}
      <Field label="Id" autocomplete="off" value={id} change={setId} />
      <Field label="Queue" autocomplete="off" value={queue} change={setQueue} />
      <JsonField
        label='Filter, such as {"name": ["paid"], "data": {"customer.country": ["de"]}}'
        rows={4}
        value={filter}
        change={setFilter}
      />
    </FormDialog>
  );
}
