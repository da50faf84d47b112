import { shortened } from './deferred.ts';
import { Fail, messageOf, NotNow, Retry } from './errors.ts';
import { costHeader } from './reporter.ts';
import { Suspension } from './steps.ts';

/** The answer after a handler returned, or waits. @throws TypeError for a value that is not JSON. */
export function success(value: unknown): Response {
  if (value instanceof Suspension) return Response.json(value.answer, { status: 206 });
  return Response.json(value ?? null);
}

/** The answer after a handler threw. */
export function refusal(error: unknown): Response {
  if (error instanceof NotNow) {
    const hold = error.hold && { 'jobgate-hold': error.hold };
    return problem(429, 'Not now', { ...after(error.after), ...hold });
  }
  const reason = reasonOf(error);
  return error instanceof Fail
    ? problem(422, reason, { 'jobgate-no-retry': 'true' })
    : problem(500, reason, error instanceof Retry ? after(error.after) : {});
}

/** The answer, with what the start of the attempt counts in limiters. */
export function withCost(answer: Response, cost: number | undefined): Response {
  for (const [name, value] of Object.entries(costHeader(cost))) answer.headers.set(name, value);
  return answer;
}

/** The answer of a deferral: the job continues beyond the call, until `deadline` ms from now if given. */
export function deferral(deadline: number | undefined): Response {
  const headers = deadline === undefined ? {} : { 'jobgate-deadline': String(deadline) };
  return new Response('', { status: 202, headers });
}

/** The text for the `failedReason` of a job; never empty. */
export function reasonOf(error: unknown): string {
  return shortened(messageOf(error)) || 'Error';
}

function after(ms: number | undefined): Record<string, string> {
  return ms === undefined ? {} : { 'retry-after': String(Math.ceil(ms / 1000)) };
}

function problem(status: number, detail: string, headers: Record<string, string>): Response {
  const body = { type: 'about:blank', title: 'The job failed', status, detail };
  const type = { 'content-type': 'application/problem+json' };
  return Response.json(body, { status, headers: { ...type, ...headers } });
}
