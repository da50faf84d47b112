import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { apiPath, type ApiRequest } from '../../api/request.ts';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import type { With } from '../../parts/properties.ts';
import { TestDialog } from '../../parts/test-dialog.tsx';
import { attempted } from '../queue/add-job.tsx';

/** Calls the endpoint once with a job that is in no queue, and shows the answer. */
export function TestCall({ queue, done }: With<'queue' | 'done'>): VNode {
  const [data, setData] = useState('{}');
  const request = attempted((): ApiRequest => {
    const body = { name: 'test', data: JSON.parse(data) as unknown };
    return { method: 'POST', path: apiPath('workers', queue, 'test'), body };
  });
  return (
    <DialogButton
      label="Test call …"
      right="operate"
      class="primary"
      dialog={(close) => (
        <TestDialog
          title={`Call the endpoint of ${queue}`}
          request={request}
          close={close}
          done={done}
        >
          <JsonField label="Data, as JSON" rows={4} value={data} change={setData} />
        </TestDialog>
      )}
    />
  );
}
