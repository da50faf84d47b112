import type { WorkerTestReport } from 'jobgate-client';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import type { Invocation } from '../invocation.ts';
import { fields } from '../output/fields.ts';
import { coloured, colourOf } from '../output/marks.ts';

/** Has the service make a test call, and shows it with its answer. */
export async function showTest(
  call: Invocation,
  path: string,
  body?: object,
): Promise<WorkerTestReport> {
  const report = await call.request<WorkerTestReport>('POST', path, { body });
  call.answer(report, ({ request, outcome, status, durationMs, response, reason }) =>
    fields([
      ['request', `${request.method.toUpperCase()} ${request.url}`],
      ['outcome', coloured(outcome, colourOf(outcome))],
      ['HTTP status', status],
      ['took', elapsedInWords(durationMs)],
      ['reason', reason],
      ['response', response],
    ]),
  );
  return report;
}
