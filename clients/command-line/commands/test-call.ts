import type { WorkerTestReport } from 'jobgate-client';
import { elapsedInWords } from '../../../src/domain/values/duration.ts';
import { fields } from '../output/fields.ts';
import { coloured, colourOf } from '../output/marks.ts';

/** A test call that the service made, with its answer. */
export function testInWords(report: WorkerTestReport): string {
  const { request, outcome, status, durationMs, response, reason } = report;
  return fields([
    ['request', `${request.method.toUpperCase()} ${request.url}`],
    ['outcome', coloured(outcome, colourOf(outcome))],
    ['HTTP status', status],
    ['took', elapsedInWords(durationMs)],
    ['reason', reason],
    ['response', response],
  ]);
}
