import { invalidRequest } from '../../../../domain/errors.ts';
import type { ReplyHead, ReplyHeaders, WholeReply } from '../../exchange/whole-reply.ts';
import { isNamedIn } from './named-in.ts';

/** An answer that is produced while its client reads it. Its pieces can be iterated once. */
export interface StreamedReply extends ReplyHead {
  readonly pieces: AsyncIterable<string>;
}

/**
 * An answer without an end of its own, such as a stream of events. It has no time limit. Its pieces must end soon after
 * the signal aborts, with what their client needs to resume. The signal aborts when the client has left, when the
 * service begins to shut down, or, with a SlowReaderError, when the client stops reading. A piece of bytes may be
 * shared with other answers.
 */
export interface OpenEndedReply extends ReplyHead {
  readonly openPieces: (ending: AbortSignal) => AsyncIterable<string | Uint8Array>;
}

/** Messages of text that are sent together. */
export interface MessageBatch {
  readonly messages: readonly Uint8Array[];
  /** Whether they are sent only as a sign of life: then a ping goes with them. */
  readonly isSignOfLife: boolean;
}

/**
 * The messages of a WebSocket, for a client that asks for one in place of an `OpenEndedReply`. The batches end as the
 * pieces of that do, and their messages may be shared as well.
 */
export interface MessageReply {
  readonly openMessages: (ending: AbortSignal) => AsyncIterable<MessageBatch>;
}

export type Reply = WholeReply | StreamedReply | OpenEndedReply | (OpenEndedReply & MessageReply);

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

/** @throws DomainError `invalid-request`, as `stringify`. */
export function json(value: unknown, status = 200, headers: ReplyHeaders = {}): WholeReply {
  return { status, contentType: JSON_TYPE, body: stringify(value), headers };
}

/** A reply with the JSON text as it is. */
export function jsonReply(body: string, status = 200, headers: ReplyHeaders = {}): WholeReply {
  return { status, contentType: JSON_TYPE, body, headers };
}

/** @throws DomainError `invalid-request` when the JSON is longer than a string may be. */
export function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError && error.message === 'Invalid string length')) throw error;
    throw invalidRequest('The answer would be too large, ask for less of it at a time');
  }
}

export function textReply(body: string, status = 200, headers: ReplyHeaders = {}): WholeReply {
  return { status, contentType: TEXT_TYPE, body, headers };
}

/** An answer without a body. */
export function noContent(headers: ReplyHeaders = {}): WholeReply {
  return textReply('', 204, headers);
}

/** The answer to every call that has nothing to report (specification, "Endpoints"). */
export const OK: WholeReply = textReply('OK');

/**
 * The reply in the form that the client asks for: `OK` is the JSON string where `Accept` names JSON itself. For a
 * wildcard range, text is good enough.
 */
export function inAcceptedForm(reply: Reply, accept: string | undefined): Reply {
  const isOk = 'body' in reply && reply.body === OK.body && reply.contentType === TEXT_TYPE;
  return isOk && isNamedIn(accept, 'application/json')
    ? json('OK', reply.status, { ...reply.headers })
    : reply;
}
