import type { Children } from './context.ts';
import type { JobAddress } from './reporter.ts';
import { headerOf, type CallHeaders } from './signature.ts';
import { parsed } from './transport.ts';
import type { Job } from './types.ts';

/** One job of a call. */
export interface CallItem {
  readonly job: Job;
  readonly token: string;
  readonly children?: Children;
}

/** The job, or the batch, that a call is about. */
export interface WebhookCall {
  readonly queue: string;
  readonly items: readonly [CallItem, ...CallItem[]];
  readonly isBatch: boolean;
  /** Whether the children come with their job. */
  readonly hasEnvelope: boolean;
  readonly attempt: number;
  readonly maxAttempts: number;
}

/** The parsed body of a call: JSON, or the text that it says to be. */
export function bodyOf(headers: CallHeaders, bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  const isText = headerOf(headers, 'content-type')?.startsWith('text/plain') === true;
  return isText && !hasEnvelope(headers) ? text : parsed(text);
}

/** @throws Error for a body without a job. */
export function callOf(headers: CallHeaders, body: unknown): WebhookCall {
  const isBatch = hasEnvelope(headers) && isObject(body) && Array.isArray(body['jobs']);
  const items = hasEnvelope(headers)
    ? enveloped(isBatch ? body['jobs'] : [body])
    : [bare(headers, body)];
  const [first] = items;
  if (first === undefined) throw new Error('The call has no job');
  const { attemptsMade = 0, opts } = first.job;
  return {
    queue: textOf(headers, 'jobgate-queue'),
    items: items as [CallItem, ...CallItem[]],
    isBatch,
    hasEnvelope: hasEnvelope(headers),
    attempt: wholeNumberOf(headers, 'jobgate-attempt') ?? attemptsMade + 1,
    maxAttempts: wholeNumberOf(headers, 'jobgate-max-attempts') ?? Math.max(1, opts?.attempts ?? 1),
  };
}

/** Where a job is reported on: below the URL that is given, else at the origin that the call names. */
export function addressOf(
  headers: CallHeaders,
  url: string | undefined,
  queue: string,
  { job, token }: CallItem,
): JobAddress | undefined {
  const base = url ?? originOf(headerOf(headers, 'jobgate-callback'));
  return base === undefined
    ? undefined
    : { url: base.replace(/\/+$/, ''), queue, id: job.id, token };
}

/** A header of digits. */
export function wholeNumberOf(headers: CallHeaders, name: string): number | undefined {
  const value = headerOf(headers, name);
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

function hasEnvelope(headers: CallHeaders): boolean {
  return headerOf(headers, 'jobgate-token') === undefined;
}

function bare(headers: CallHeaders, data: unknown): CallItem {
  const [id, name] = [textOf(headers, 'jobgate-job-id'), textOf(headers, 'jobgate-job-name')];
  return { job: { id, name, data }, token: headerOf(headers, 'jobgate-token') ?? '' };
}

function enveloped(items: unknown): readonly CallItem[] {
  for (const item of items as readonly unknown[]) {
    const job = isObject(item) ? item['job'] : undefined;
    if (!isObject(job) || typeof job['id'] !== 'string' || typeof job['name'] !== 'string') {
      throw new Error('The call has no job');
    }
  }
  return items as readonly CallItem[];
}

function originOf(callback: string | undefined): string | undefined {
  return callback !== undefined && URL.canParse(callback) ? new URL(callback).origin : undefined;
}

/** A header whose `%` and other than ASCII are percent-encoded. */
function textOf(headers: CallHeaders, name: string): string {
  const value = headerOf(headers, name) ?? '';
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
