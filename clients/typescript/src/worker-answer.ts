import { shortened } from './deferred.ts';
import { Fail, messageOf, NotNow, Retry } from './errors.ts';

/** What a worker answers to a call. */
export interface WorkerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer of a handler that returned. @throws TypeError for a value that is no JSON. */
export function success(value: unknown): WorkerAnswer {
  return json(200, value ?? null);
}

/** The answer of a handler that threw. */
export function refusal(error: unknown): WorkerAnswer {
  if (error instanceof NotNow) {
    return problem(429, 'Not now', {
      'retry-after': seconds(error.after),
      ...(error.hold !== undefined && { 'jobgate-hold': error.hold }),
    });
  }
  const reason = reasonOf(error);
  if (error instanceof Fail) return problem(422, reason, { 'jobgate-no-retry': 'true' });
  const after = error instanceof Retry ? error.after : undefined;
  return problem(500, reason, after === undefined ? {} : { 'retry-after': seconds(after) });
}

/** The job goes on beyond the call, until `deadline` ms from now where that is given. */
export function deferral(deadline: number | undefined): WorkerAnswer {
  const headers = deadline === undefined ? {} : { 'jobgate-deadline': String(deadline) };
  return { status: 202, headers, body: '' };
}

/** What becomes the `failedReason` of a job; never empty. */
export function reasonOf(error: unknown): string {
  return shortened(messageOf(error)) || 'Error';
}

function seconds(ms: number): string {
  return String(Math.ceil(ms / 1000));
}

function problem(status: number, detail: string, headers: Record<string, string>): WorkerAnswer {
  const body = { type: 'about:blank', title: 'The job failed', status, detail };
  return json(status, body, { 'content-type': 'application/problem+json', ...headers });
}

function json(status: number, value: unknown, headers: Record<string, string> = {}): WorkerAnswer {
  const body = JSON.stringify(value);
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}
