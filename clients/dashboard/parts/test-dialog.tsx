import type { ComponentChildren, VNode } from 'preact';
import type { WorkerTestReport } from '../../typescript/src/api.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/request.ts';
import { duration } from '../format/duration.ts';
import { RequestShown } from './action.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';
import type { With } from './properties.ts';
import { StateLabel } from './state-label.tsx';

const NOT_SHOWN = 'Only a token with the right data may see it';

/** Makes a test call, and shows the answer. */
export function TestDialog({
  request,
  done,
  children,
  ...dialog
}: With<'title' | 'close'> & {
  /** Undefined while what was typed is no request. */
  readonly request: ApiRequest | undefined;
  readonly done?: () => void;
  /** Fields of the request. */
  readonly children?: ComponentChildren;
}): VNode {
  const { answer: report, problem, isBusy, ask } = useAnswer<WorkerTestReport>(request);
  return (
    <Dialog
      {...dialog}
      buttons={
        <Button class="primary" disabled={isBusy} onClick={() => void ask().then(done)}>
          {isBusy ? 'Calling …' : 'Call'}
        </Button>
      }
    >
      {children}
      <Problem>{problem}</Problem>
      {report && (
        <section>
          <p class="attempt">
            <StateLabel state={report.outcome} />
            <span class="number">{report.status ?? 'no answer'}</span>
            <span class="number">{duration(report.durationMs)}</span>
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
      {request && <RequestShown request={request} />}
    </Dialog>
  );
}

function sentText({ method, url, headers, body }: WorkerTestReport['request']): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method.toUpperCase()} ${url}`, ...lines, '', body ?? ''].join('\n');
}
