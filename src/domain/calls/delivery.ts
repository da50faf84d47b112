import type { Endpoint } from './endpoint.ts';
import { hasTags, htmlText, looksLikePage } from './html-text.ts';
import { isObject, MAX_NESTING, nestsDeeper, type Json } from '../values/json.ts';
import { hasStatus } from './success-statuses.ts';
import { MAX_REASON_BYTES } from '../values/reason.ts';
import { cutToBytes, withoutNul, trimmed } from '../values/text.ts';

/** The headers of an answer, by lowercase name. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The answer of an endpoint, read completely. */
export interface EndpointAnswer {
  readonly status: number;
  /** The reason phrase of the status, empty when there is none. */
  readonly statusText: string;
  readonly headers: AnswerHeaders;
  readonly body: string;
}

/** How one attempt to process a job ended. */
export type DeliveryOutcome =
  /** `doubt` is what is wrong with an answer that completes the job nevertheless. */
  | { readonly succeeded: true; readonly returnvalue: Json; readonly doubt?: string }
  /**
   * `status` is that of the answer, absent when there was none; then the reason is in our own words. `final` when no
   * further attempt may follow.
   */
  | {
      readonly succeeded: false;
      readonly reason: string;
      readonly status?: number;
      readonly final?: boolean;
    };

/** What is wrong with an answer that is declared as JSON but cannot be parsed, or is nested too deeply. */
const NOT_JSON = 'The answer cannot be read as JSON, so its text is the return value';

/** The statuses that refer a client to another URL. */
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Longest `content-type` that is examined, in characters. */
const MAX_CONTENT_TYPE = 256;

/** The value of a header, the first one if there are several. @param name in lowercase. */
export function answerHeader(
  { headers }: Pick<EndpointAnswer, 'headers'>,
  name: string,
): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/**
 * Whether an answer completes the job. Any other answer fails the attempt (outbound call, rules 2 and 3).
 *
 * @param success the statuses that the endpoint sets; 200 to 209 by default.
 */
export function completesJob(status: number, success?: readonly string[]): boolean {
  return success === undefined ? status >= 200 && status <= 209 : hasStatus(success, status);
}

/** How an attempt ends when its endpoint gives this answer. */
export function deliveryOutcome(
  answer: EndpointAnswer,
  { success }: Pick<Endpoint, 'success'>,
): DeliveryOutcome {
  if (completesJob(answer.status, success)) return { succeeded: true, ...returnValue(answer) };
  return { succeeded: false, reason: failureReason(answer), status: answer.status };
}

/**
 * The parsed value when the answer is JSON; an empty answer is null. Broken or too deeply nested JSON counts as text,
 * with a doubt if the answer is declared as JSON.
 */
function returnValue(answer: EndpointAnswer): { returnvalue: Json; doubt?: string } {
  const { body } = answer;
  if (body === '') return { returnvalue: null };
  const type = contentType(answer);
  const parsed = mayBeJson(type) ? parseJson(body) : undefined;
  if (parsed !== undefined) return { returnvalue: parsed };
  const isDeclared = type !== '' && mayBeJson(type);
  return { returnvalue: withoutNul(body), ...(isDeclared && { doubt: NOT_JSON }) };
}

function failureReason(answer: EndpointAnswer): string {
  const message = ownMessage(answer) ?? (isHtml(answer) ? withStatus(answer) : answer.body);
  return cutToBytes(trimmed(message) || statusLine(answer), MAX_REASON_BYTES);
}

function statusLine({ status, statusText }: EndpointAnswer): string {
  const line = `HTTP ${status} ${statusText}`.trim();
  return REDIRECTS.includes(status) ? `${line}: redirects are not followed` : line;
}

/** An HTML page, as proxies return it. Its text says little without the status. */
function withStatus(answer: EndpointAnswer): string {
  const text = htmlText(answer.body);
  return text === '' ? '' : `${statusLine(answer)}: ${text}`;
}

/** Many servers also label plain text as HTML; that is not a page. */
function isHtml(answer: EndpointAnswer): boolean {
  const type = contentType(answer);
  const isDeclared = type === 'text/html' || type === 'application/xhtml+xml';
  return looksLikePage(answer.body) || (isDeclared && hasTags(answer.body));
}

/**
 * The error message of a JSON answer: `message`, `error`, `error.message`, or `detail` and `title` of RFC 9457, in this
 * order, or the answer itself if it is a string. Undefined when there is none.
 */
function ownMessage(answer: EndpointAnswer): string | undefined {
  const parsed = mayBeJson(contentType(answer)) ? parseJson(answer.body) : undefined;
  if (typeof parsed === 'string') return parsed;
  if (!isObject(parsed)) return undefined;
  const { message, error, detail, title } = parsed;
  const inner = isObject(error) ? error['message'] : undefined;
  return [message, error, inner, detail, title].find(
    (field): field is string => typeof field === 'string' && field.trim() !== '',
  );
}

/** The media type without its parameters, in lowercase; empty when the answer has none. */
function contentType(answer: EndpointAnswer): string {
  const value = answerHeader(answer, 'content-type') ?? '';
  const [type = ''] = value.slice(0, MAX_CONTENT_TYPE).split(';', 1);
  return type.trim().toLowerCase();
}

/** An answer without a type may be JSON too: small endpoints often omit the header. */
function mayBeJson(type: string): boolean {
  return type === '' || type === 'application/json' || type.endsWith('+json');
}

function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    // A value that is nested deeper has at least this many opening and closing brackets.
    const mayBeTooDeep = text.length > 2 * MAX_NESTING;
    return mayBeTooDeep && nestsDeeper(value, MAX_NESTING) ? undefined : value;
  } catch {
    return undefined;
  }
}
