import type { Job } from './api.ts';
import type { Children } from './context.ts';
import { textOf, wholeNumberOf, type HeaderTexts } from './headers.ts';
import type { JobAddress } from './reporter.ts';
import { parsed } from './transport.ts';

/** One job of a call. */
export interface CallItem {
  readonly job: Job;
  readonly token: string;
  readonly children?: Children;
  /** The values of saved steps by their names. */
  readonly steps?: Readonly<Record<string, unknown>>;
}

/** The job, or the batch, of a call. */
export interface WebhookCall {
  readonly queue: string;
  readonly items: readonly [CallItem, ...CallItem[]];
  readonly isBatch: boolean;
  /** Whether the children come with their job. */
  readonly hasEnvelope: boolean;
  readonly attempt: number;
  readonly maxAttempts: number;
  /** How many steps the job has saved; also where the body does not carry them. */
  readonly steps: number;
}

/** The parsed body of a call: JSON, or text if its content type says so. */
export function bodyOf(headers: HeaderTexts, bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  const isText = headers.get('content-type')?.startsWith('text/plain') && !hasEnvelope(headers);
  return isText ? text : parsed(text);
}

/** @throws Error for a body without a job. */
export function callOf(headers: HeaderTexts, body: unknown): WebhookCall {
  const { jobs } = (body ?? {}) as { readonly jobs?: unknown };
  const isBatch = hasEnvelope(headers) && Array.isArray(jobs);
  const items: unknown[] = isBatch ? jobs : [hasEnvelope(headers) ? body : bare(headers, body)];
  if (!haveJobs(items)) throw new Error('The call has no job');
  const [{ job }] = items;
  return {
    queue: textOf(headers, 'jobgate-queue'),
    items,
    isBatch,
    hasEnvelope: hasEnvelope(headers),
    attempt: wholeNumberOf(headers, 'jobgate-attempt') ?? attemptOf(job),
    maxAttempts: wholeNumberOf(headers, 'jobgate-max-attempts') ?? maxAttemptsOf(job),
    steps: wholeNumberOf(headers, 'jobgate-steps') ?? 0,
  };
}

/** The address for reports: below the given URL, or else at the origin that the call names. */
export function addressOf(
  headers: HeaderTexts,
  url: string | undefined,
  queue: string,
  { job, token }: CallItem,
): JobAddress | undefined {
  const base = url || originOf(headers.get('jobgate-callback'));
  return base ? { url: base.replace(/\/+$/, ''), queue, id: job.id, token } : undefined;
}

/** From 1. */
export function attemptOf({ attemptsMade = 0 }: Partial<Job>): number {
  return attemptsMade + 1;
}

export function maxAttemptsOf({ opts }: Partial<Job>): number {
  return Math.max(1, opts?.attempts ?? 1);
}

function haveJobs(items: readonly unknown[]): items is WebhookCall['items'] {
  const jobs = items.map((item) => (item as { readonly job?: Partial<Job> } | null)?.job);
  const isJob = (job: Partial<Job> | null = null): boolean =>
    typeof job?.id === 'string' && typeof job.name === 'string';
  return jobs.length > 0 && jobs.every((job) => isJob(job));
}

function hasEnvelope(headers: HeaderTexts): boolean {
  return !headers.has('jobgate-token');
}

function bare(headers: HeaderTexts, data: unknown) {
  const [id, name] = [textOf(headers, 'jobgate-job-id'), textOf(headers, 'jobgate-job-name')];
  return { job: { id, name, data }, token: headers.get('jobgate-token') };
}

function originOf(callback: string | undefined): string | undefined {
  return /^https?:\/\/[^/?#]+/.exec(callback ?? '')?.[0];
}
