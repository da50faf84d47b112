import type { Caller } from '../../domain/access/caller.ts';
import { calledShownTo } from '../../domain/access/shown-urls.ts';
import { shownTo, type Visible } from '../../domain/access/visible.ts';
import type { TestCallReport } from '../calls/test-call.ts';

/** The result of a test call as its caller sees it. */
export function testShownTo(
  report: TestCallReport,
  caller: Caller,
): Visible<Partial<TestCallReport>> {
  return shownTo(caller, { ...report, request: calledShownTo(caller, report.request) });
}
