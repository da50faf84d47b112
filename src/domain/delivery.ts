import { isObject, type Json } from './json.ts';

/** What an endpoint answered, read whole. */
export interface EndpointAnswer {
  readonly status: number;
  /** The reason phrase that goes with the status, empty when there is none. */
  readonly statusText: string;
  readonly contentType: string;
  readonly body: string;
}

/** How one attempt to process a job ended. */
export type DeliveryOutcome =
  | { readonly succeeded: true; readonly returnvalue: Json }
  | { readonly succeeded: false; readonly reason: string };

/** Longest failure reason that is stored, in bytes of UTF-8. */
const MAX_REASON_BYTES = 1024;

/** 200 to 209 completes the job, everything else fails the attempt (outbound call, rules 2 and 3). */
export function deliveryOutcome(answer: EndpointAnswer): DeliveryOutcome {
  if (answer.status >= 200 && answer.status <= 209) {
    return { succeeded: true, returnvalue: returnValue(answer) };
  }
  return { succeeded: false, reason: failureReason(answer) };
}

/** The parsed value when the answer is JSON (broken JSON counts as text); nothing at all is null. */
function returnValue({ body, contentType }: EndpointAnswer): Json {
  if (body === '') return null;
  if (!isJson(contentType)) return body;
  const parsed = parseJson(body);
  return parsed === undefined ? body : parsed;
}

function failureReason(answer: EndpointAnswer): string {
  const text = ownMessage(answer).trim();
  if (text !== '') return cutToBytes(text, MAX_REASON_BYTES);
  return `HTTP ${answer.status} ${answer.statusText}`.trim();
}

/** The answer's own words: `message` or `error` of a JSON object, a JSON string, else its text. */
function ownMessage({ body, contentType }: EndpointAnswer): string {
  const parsed = isJson(contentType) ? parseJson(body) : undefined;
  if (typeof parsed === 'string') return parsed;
  if (isObject(parsed)) {
    for (const field of [parsed['message'], parsed['error']]) {
      if (typeof field === 'string' && field.trim() !== '') return field;
    }
  }
  return body;
}

/** An answer that does not say what it is may be JSON too: small endpoints often leave it out. */
function isJson(contentType: string): boolean {
  return contentType === '' || /^\s*(application\/json|[^;]*\+json)\s*(;|$)/i.test(contentType);
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Cuts at a character boundary, so that what is kept is valid text. */
export function cutToBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  let used = 0;
  let kept = '';
  for (const character of text) {
    used += utf8Length(character);
    if (used > bytes) return kept;
    kept += character;
  }
  return kept;
}

function utf8Length(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
