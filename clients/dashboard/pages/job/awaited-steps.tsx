import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { SignalSent, Suspended } from '../../../typescript/src/api.ts';
import { counted } from '../../../rules/counted.ts';
import { apiPath, type ApiRequest } from '../../api/request.ts';
import { Time } from '../../format/time.tsx';
import { Card } from '../../parts/card.tsx';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { JobLink } from '../../parts/job-link.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import type { With } from '../../parts/properties.ts';
import { attempted } from '../queue/add-job.tsx';
import { namesInLine } from './attempt-order.ts';

/** How many of the added jobs are listed. */
const CHILDREN = 20;

/** What a suspended job waits for, and until when. */
export function AwaitedSteps({
  queue,
  suspended: { steps, until, signals, children },
  refresh,
}: With<'queue' | 'refresh', { suspended: Suspended }>): VNode {
  return (
    <Card title="Waits for">
      <Facts
        facts={[
          [steps.length === 1 ? 'Step' : 'Steps', namesInLine(steps), 'text'],
          ['Until', until === null ? 'no end is set' : <Time at={until} />],
          [
            signals.length === 1 ? 'Signal' : 'Signals',
            signals.length > 0 && (
              <ul>
                {signals.map((key) => (
                  <li key={key} class="awaited">
                    <code>{key}</code>
                    <DialogButton
                      label="Send signal …"
                      right="add"
                      dialog={(close) => (
                        <SendSignal queue={queue} name={key} refresh={refresh} close={close} />
                      )}
                    />
                  </li>
                ))}
              </ul>
            ),
          ],
          [
            'Jobs',
            children.length > 0 && (
              <>
                {children.slice(0, CHILDREN).map((job) => (
                  <span key={`${job.queue} ${job.id}`}>
                    {job.queue} <JobLink queue={job.queue} id={job.id} />{' '}
                  </span>
                ))}
                {children.length > CHILDREN && `and ${children.length - CHILDREN} more`}
              </>
            ),
          ],
        ]}
      />
    </Card>
  );
}

function SendSignal({
  queue,
  name,
  refresh,
  close,
}: With<'queue' | 'name' | 'refresh' | 'close'>): VNode {
  const [body, setBody] = useState('true');
  const request = attempted((): ApiRequest => ({
    method: 'POST',
    path: apiPath('queues', queue, 'signals', name),
    // Any JSON: a number or a text is sent too.
    body: JSON.parse(body) as object,
  }));
  return (
    <FormDialog<SignalSent>
      title={`Send the signal ${name}`}
      request={request}
      verb="Send"
      done={({ woken }) => `The signal reached ${counted(woken, 'job')}`}
      saved={refresh}
      close={close}
      mistake={request === undefined ? 'The body is not valid JSON' : undefined}
    >
      <p>It reaches every job of the queue that waits for it. Its body becomes their step.</p>
      <JsonField label="Body, as JSON" rows={4} value={body} change={setBody} />
    </FormDialog>
  );
}
