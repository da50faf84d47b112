import { invalidRequest } from '../../../../domain/errors.ts';

export type ReplyHeaders = Readonly<Record<string, string>>;

export interface ReplyHead {
  readonly status: number;
  readonly contentType: string;
  readonly headers?: ReplyHeaders;
}

/** A whole answer, ready to be sent. */
export interface WholeReply extends ReplyHead {
  readonly body: string;
  /** Is called when the answer did not go out whole: nobody was there to take it. */
  readonly undelivered?: () => void;
}

/** An answer that is made while it is sent, as its client takes it. Its pieces can be had once. */
export interface StreamedReply extends ReplyHead {
  readonly pieces: AsyncIterable<string>;
}

/**
 * An answer without an end of its own, such as a stream of events. No limit of time holds for it. Its pieces
 * must end soon after the signal aborts, with what their client needs to come back: the client has left, or
 * the service begins to end, or the client takes nothing, which is a SlowReaderError. A piece of bytes may be
 * shared with other answers.
 */
export interface OpenEndedReply extends ReplyHead {
  readonly follow: (ending: AbortSignal) => AsyncIterable<string | Uint8Array>;
}

/** Messages of text that are sent together. */
export interface MessageBatch {
  readonly messages: readonly Uint8Array[];
  /** Whether they are sent since nothing else is: a ping goes with them. */
  readonly isSignOfLife: boolean;
}

/**
 * What goes over a WebSocket, where the client asks for one in place of an `OpenEndedReply`. The batches end as its
 * pieces do, and their messages may be shared as well.
 */
export interface MessageReply {
  readonly messages: (ending: AbortSignal) => AsyncIterable<MessageBatch>;
}

export type Reply = WholeReply | StreamedReply | OpenEndedReply | (OpenEndedReply & MessageReply);

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** @throws DomainError `invalid-request`, as `stringify`. */
export function json(value: unknown, status = 200, headers: ReplyHeaders = {}): WholeReply {
  return { status, contentType: JSON_TYPE, body: stringify(value), headers };
}

/** The JSON text as it is. */
export function jsonReply(body: string, status = 200, headers: ReplyHeaders = {}): WholeReply {
  return { status, contentType: JSON_TYPE, body, headers };
}

/** @throws DomainError `invalid-request` when the platform has no string for so much. */
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

/** The answer of every call that only does something (specification, "Endpoints"). */
export const OK: WholeReply = textReply('OK');
