import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { SignalSent, Suspended } from '../../../typescript/src/api.ts';
import { counted } from '../../../rules/counted.ts';
import { apiPath, type ApiRequest } from '../../api/request.ts';
import { Time } from '../../format/time.tsx';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { JobLink } from '../../parts/job-link.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import { attempted } from '../queue/add-job.tsx';
import { namesInLine } from './attempt-order.ts';

/** How many of the added jobs are listed. */
const CHILDREN = 20;

/** What a suspended job waits for, and until when. */
export function AwaitedSteps({
  queue,
  suspended: { steps, until, signals, children },
  refresh,
}: {
  readonly queue: string;
  readonly suspended: Suspended;
  readonly refresh: () => void;
}): VNode {
  return (
    <section class="card">
      <h2>Waits for</h2>
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
                    <SendSignal queue={queue} signal={key} sent={refresh} />
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
    </section>
  );
}

interface Sending {
  readonly queue: string;
  readonly signal: string;
  readonly sent: () => void;
}

function SendSignal(sending: Sending): VNode {
  return (
    <DialogButton
      label="Send signal …"
      right="add"
      dialog={(close) => <SignalDialog {...sending} close={close} />}
    />
  );
}

function SignalDialog({
  queue,
  signal,
  sent,
  close,
}: Sending & { readonly close: () => void }): VNode {
  const [body, setBody] = useState('true');
  const path = apiPath('queues', queue, 'signals', signal);
  const request = attempted((): ApiRequest => ({
    method: 'POST',
    path,
    // Any JSON: a number or a text is sent too.
    body: JSON.parse(body) as object,
  }));
  return (
    <FormDialog<SignalSent>
      title={`Send the signal ${signal}`}
      request={request}
      verb="Send"
      done={({ woken }) => `The signal reached ${counted(woken, 'job')}`}
      saved={sent}
      close={close}
      mistake={request === undefined ? 'The body is not valid JSON' : undefined}
    >
      <p>It reaches every job of the queue that waits for it. Its body becomes their step.</p>
      <JsonField label="Body, as JSON" rows={4} value={body} change={setBody} />
    </FormDialog>
  );
}
