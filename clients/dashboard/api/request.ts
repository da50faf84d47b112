import { signal } from '@preact/signals';

/** The address of the service: the script lies two folders below it. */
export const ROOT = new URL('../../', import.meta.url);

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A call of the API, as an action sends it and as the dashboard shows it. */
export interface ApiRequest {
  readonly method: Method;
  /** Relative to the service, percent-encoded. */
  readonly path: string;
  readonly body?: object;
}

/** An answer other than a success, with the message of the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** 0 when the service could not be reached. */
    readonly status: number,
    message: string,
    /** How long the service asks to wait, in ms. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** Why a call failed. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : String(error);
}

/** Whether the same call may succeed later: the service is away, or asks to wait. */
export function isPassing({ status }: ApiError): boolean {
  return status === 429 || isOutage(status);
}

/** A proxy answers 502 or 504 in place of a service that is away. */
function isOutage(status: number): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504;
}

/** Why the data on the screen may be old; null while the service answers. */
export const outage = signal<{ readonly since: number; readonly reason: string } | null>(null);

/** Called when the session has ended. */
export const signedOut = signal(0);

/** How far the clock of the service is ahead of this browser's, in milliseconds. */
const ahead = signal(0);

/** The time by the clock of the service, epoch ms. */
export function serviceTime(): number {
  return Date.now() + ahead.value;
}

/** @throws ApiError, or an AbortError once the signal aborts. */
export async function send(
  { method, path, body }: ApiRequest,
  headers: Readonly<Record<string, string>> = {},
  abort?: AbortSignal,
): Promise<Response> {
  const response = await fetch(new URL(path, ROOT), {
    method,
    headers: {
      Accept: 'application/json, application/problem+json',
      ...(method !== 'GET' && { 'Jobgate-Dashboard': '1' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(abort && { signal: abort }),
  }).catch((error: unknown) => {
    if (abort?.aborted !== true) reportOutage('The service cannot be reached');
    throw abort?.aborted === true ? error : new ApiError(0, 'The service cannot be reached');
  });
  followClock(response);
  if (response.ok) {
    if (outage.value !== null) outage.value = null;
    return response;
  }
  const message = await problem(response);
  if (response.status === 401) signedOut.value += 1;
  if (isOutage(response.status)) reportOutage(message);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError(response.status, message, Number.isNaN(seconds) ? undefined : seconds * 1000);
}

/** The parsed answer. @throws ApiError, or an AbortError once the signal aborts. */
export async function call<T>(request: ApiRequest, abort?: AbortSignal): Promise<T> {
  const response = await send(request, {}, abort);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** A path of the API with its parts escaped. */
export function apiPath(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

/** The path with the parameters that have a value. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}

/** Shows on all pages why their data may be old. */
export function reportOutage(reason: string): void {
  outage.value = { since: outage.value?.since ?? serviceTime(), reason };
}

function followClock(response: Response): void {
  const date = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds, so a smaller difference may be due to rounding.
  if (Math.abs(date - Date.now()) > 2000) ahead.value = date - Date.now();
}

async function problem(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { detail, error } = JSON.parse(text) as { detail?: string; error?: string };
    return detail ?? error ?? text;
  } catch {
    // A page of a proxy: its text is of no use in a message.
    return `HTTP ${response.status} ${response.statusText}`.trim();
  }
}
