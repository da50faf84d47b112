import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { TestReport } from '../../api/answers.ts';
import { ApiError, apiPath, call, type ApiRequest } from '../../api/request.ts';
import { measuredTime } from '../../format/duration.ts';
import { RequestShown, RightButton } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { attempted } from '../queue/add-job.tsx';

const NOT_SHOWN = 'Only a token with the right data may see it';

/** Calls the endpoint once with a job that is in no queue, and shows the answer. */
export function TestCall({
  queue,
  done,
}: {
  readonly queue: string;
  readonly done: () => void;
}): VNode {
  const [isOpen, setIsOpen] = useState(false);
  const [data, setData] = useState('{}');
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [report, setReport] = useState<TestReport | undefined>();
  const request = (): ApiRequest => ({
    method: 'POST',
    path: apiPath('workers', queue, 'test'),
    body: { name: 'test', data: JSON.parse(data) as unknown },
  });
  const shown = attempted(request);
  const test = async (): Promise<void> => {
    setProblem('');
    setIsBusy(true);
    try {
      setReport(await call<TestReport>(request()));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The data must be JSON');
    }
    setIsBusy(false);
    done();
  };
  return (
    <>
      <RightButton right="operate" kind="primary" onClick={() => setIsOpen(true)}>
        Test call …
      </RightButton>
      {isOpen && (
        <Dialog title={`Call the endpoint of ${queue}`} close={() => setIsOpen(false)}>
          <JsonField label="Data, as JSON" rows={4} value={data} change={setData} />
          <p role="alert" class="problem">
            {problem}
          </p>
          {report && (
            <section>
              <p class="attempt">
                <StateLabel state={report.outcome} />
                <span class="number">{report.status ?? 'no answer'}</span>
                <span class="number">{measuredTime(report.durationMs)}</span>
              </p>
              {report.reason !== null && <p class="text">{report.reason}</p>}
              <h3>Answer</h3>
              <pre tabIndex={0}>
                {report.response === undefined ? NOT_SHOWN : (report.response ?? 'none')}
              </pre>
              <details>
                <summary>Request</summary>
                <pre tabIndex={0}>{sentText(report.request)}</pre>
              </details>
            </section>
          )}
          {shown && <RequestShown request={shown} />}
          <div class="buttons">
            <button type="button" class="primary" disabled={isBusy} onClick={() => void test()}>
              {isBusy ? 'Calling …' : 'Call'}
            </button>
            <button type="button" onClick={() => setIsOpen(false)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function sentText({ method, url, headers, body }: TestReport['request']): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method.toUpperCase()} ${url}`, ...lines, '', body ?? ''].join('\n');
}
