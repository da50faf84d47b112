import type { Endpoint } from './endpoint.ts';
import { isObject, nestsDeeper, type Json } from './json.ts';
import { hasStatus } from './success-statuses.ts';
import { cutToBytes } from './text.ts';

/** The headers of an answer, by their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What an endpoint answered, read whole. */
export interface EndpointAnswer {
  readonly status: number;
  /** The reason phrase that goes with the status, empty when there is none. */
  readonly statusText: string;
  readonly headers: AnswerHeaders;
  readonly body: string;
}

/** How one attempt to process a job ended. */
export type DeliveryOutcome =
  | { readonly succeeded: true; readonly returnvalue: Json }
  /**
   * `status` is that of the answer, absent when there was none: then the reason is in our own words. `final`
   * when no other attempt may follow.
   */
  | {
      readonly succeeded: false;
      readonly reason: string;
      readonly status?: number;
      readonly final?: boolean;
    };

/** Longest failure reason that is stored, in bytes of UTF-8. */
export const MAX_REASON_BYTES = 1024;

/** Deepest nesting of an answer that counts as JSON: what reads it later may go down level by level. */
const MAX_NESTING = 500;

/** Longest type of an answer that is looked at, in characters. */
const MAX_CONTENT_TYPE = 256;

/** The value of a header, of several the first one. @param name in lower case. */
export function answerHeader(
  { headers }: Pick<EndpointAnswer, 'headers'>,
  name: string,
): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/**
 * Whether such an answer completes the job. Any other fails the attempt (outbound call, rules 2 and 3).
 *
 * @param success the statuses that the endpoint names; 200 to 209 unless it does.
 */
export function completesJob(status: number, success?: readonly string[]): boolean {
  return success === undefined ? status >= 200 && status <= 209 : hasStatus(success, status);
}

/** How an attempt ends that got this answer of the endpoint. */
export function deliveryOutcome(
  answer: EndpointAnswer,
  { success }: Pick<Endpoint, 'success'>,
): DeliveryOutcome {
  if (completesJob(answer.status, success)) {
    return { succeeded: true, returnvalue: returnValue(answer) };
  }
  return { succeeded: false, reason: failureReason(answer), status: answer.status };
}

/** The parsed value when the answer is JSON (broken or too deep, it counts as text); nothing at all is null. */
function returnValue(answer: EndpointAnswer): Json {
  const { body } = answer;
  if (body === '') return null;
  if (!isJson(answer)) return body;
  const parsed = parseJson(body);
  return parsed === undefined ? body : parsed;
}

function failureReason(answer: EndpointAnswer): string {
  const text = ownMessage(answer).trim();
  if (text !== '') return cutToBytes(text, MAX_REASON_BYTES);
  return `HTTP ${answer.status} ${answer.statusText}`.trim();
}

/**
 * The answer's own words, in this order: `message`, `error`, `error.message`, and `detail` and `title` of
 * RFC 9457, of a JSON object; a JSON string; else its text.
 */
function ownMessage(answer: EndpointAnswer): string {
  const { body } = answer;
  const parsed = isJson(answer) ? parseJson(body) : undefined;
  if (typeof parsed === 'string') return parsed;
  if (isObject(parsed)) {
    const { message, error, detail, title } = parsed;
    const inner = isObject(error) ? error['message'] : undefined;
    for (const field of [message, error, inner, detail, title]) {
      if (typeof field === 'string' && field.trim() !== '') return field;
    }
  }
  return body;
}

/** An answer that does not say what it is may be JSON too: small endpoints often leave it out. */
function isJson(answer: EndpointAnswer): boolean {
  const contentType = answerHeader(answer, 'content-type') ?? '';
  const [type = ''] = contentType.slice(0, MAX_CONTENT_TYPE).split(';', 1);
  const essence = type.trim().toLowerCase();
  return contentType === '' || essence === 'application/json' || essence.endsWith('+json');
}

function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    // Whatever is nested deeper has that many opening and closing brackets.
    const mayBeTooDeep = text.length > 2 * MAX_NESTING;
    return mayBeTooDeep && nestsDeeper(value, MAX_NESTING) ? undefined : value;
  } catch {
    return undefined;
  }
}
