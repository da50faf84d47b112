import type { Destination } from '../calls/destination.ts';
import { isObject, type Json } from '../values/json.ts';

/** The name of jobs that were published as messages. */
export const PUSH_NAME = 'qstash';

/** The most messages with a flow control key that run at a time, and that start in a period. */
export interface FlowControl {
  readonly key: string;
  readonly parallelism?: number | undefined;
  readonly rate?: number | undefined;
  /** In milliseconds. */
  readonly period?: number | undefined;
}

/** How often a message is called, and how long one call may take. */
export interface PushTerms {
  readonly retries: number;
  /** Milliseconds as an expression of `retried`. */
  readonly retryDelay?: string | undefined;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
  /** Milliseconds before the first call. */
  readonly delay?: number | undefined;
}

/** The options of the job of a message. @param jobId its id. */
export function pushOptions(jobId: string, { retries, delay = 0, timeout }: PushTerms) {
  return {
    jobId,
    attempts: retries + 1,
    ...(delay > 0 && { delay }),
    ...(timeout !== undefined && { timeout }),
  };
}

/** The message that follows a call, with its headers encrypted for the origin that they are sent to. */
export interface FollowingPush extends PushTerms {
  readonly endpoint: Destination;
}

/** The bytes of a body: as their text, or in base64. */
export interface PushContent {
  readonly data: string;
  readonly isBase64?: boolean | undefined;
}

/** The text that the data of a job are as a body. @param data as any producer may have stored them. */
export function bodyText(data: Json): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** What a pushed message has beside the options of its job (further contract, section 24). */
export interface Push extends Pick<PushTerms, 'retryDelay'> {
  /** Whether the data of the job are the bytes of the body in base64. */
  readonly isBase64?: boolean | undefined;
  /** The data of the job where every reader sees `REDACTED:…` in place of them, encrypted as headers are. */
  readonly body?: string | undefined;
  /** What readers see in place of headers, by their names. */
  readonly redacted?: Readonly<Record<string, string>> | undefined;
  readonly label?: string | undefined;
  readonly flowControl?: FlowControl | undefined;
  readonly callback?: FollowingPush | undefined;
  readonly failureCallback?: FollowingPush | undefined;
  /** The URL group that it was published to, and the name of its endpoint there. */
  readonly topic?: string | undefined;
  readonly endpointName?: string | undefined;
  readonly schedule?: string | undefined;
  /** The message that the job publishes when its time has come, encrypted as headers are, without its content. */
  readonly scheduled?: string;
  readonly callerIp?: string | undefined;
}

/** The destination of a message. Clients of other interfaces cannot set what it has beside URL, headers and method. */
export type PushDestination = Destination & { readonly push: Push };

/** How a job was published as a message; undefined for any other job. @param opts as any producer may have stored them. */
export function pushOf(opts: Readonly<Record<string, unknown>>): Push | undefined {
  const { endpoint } = opts;
  const push = isObject(endpoint) ? endpoint['push'] : undefined;
  return isObject(push) ? push : undefined;
}
