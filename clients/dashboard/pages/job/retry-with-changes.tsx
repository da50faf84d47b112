import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { apiPath, messageOf, send, type ApiRequest } from '../../api/request.ts';
import { may } from '../../api/session.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { useDraft } from '../../parts/draft.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import type { With } from '../../parts/properties.ts';
import { attempted } from '../queue/add-job.tsx';

/** Starts a finished job over, with other data or options. */
export function RetryWithChanges(job: With<'queue' | 'id' | 'done'>): VNode {
  return (
    <DialogButton
      label="Retry with changes …"
      right="operate"
      dialog={(close) => <RetryDialog {...job} close={close} />}
    />
  );
}

function RetryDialog({ queue, id, done, close }: With<'queue' | 'id' | 'done' | 'close'>): VNode {
  const { draft, change, field } = useDraft({ data: '', options: '' });
  const { data, options } = draft;
  const [problem, setProblem] = useState('');
  const path = apiPath('queues', queue, 'jobs', id);
  useEffect(() => {
    if (!may('data')) return;
    send({ method: 'GET', path: `${path}/data` })
      .then(async (answer) => change({ data: await answer.text() }))
      .catch((error: unknown) => setProblem(messageOf(error)));
  }, [path]);
  const request = attempted((): ApiRequest => ({
    method: 'POST',
    path: `${path}/retry`,
    body: {
      ...(data.trim() !== '' && { data: JSON.parse(data) as unknown }),
      ...(options.trim() !== '' && { opts: JSON.parse(options) as unknown }),
    },
  }));
  return (
    <FormDialog
      title={`Retry job ${id}`}
      request={request}
      verb="Retry"
      done={() => `Job ${id} waits again`}
      saved={done}
      close={close}
      problem={problem}
    >
      <JsonField label="Data, as JSON" rows={8} {...field('data')} />
      <JsonField
        label="Options: attempts, backoff, priority"
        rows={2}
        placeholder='{"attempts": 3}'
        {...field('options')}
      />
    </FormDialog>
  );
}
