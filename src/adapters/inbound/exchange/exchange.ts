import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuditMark } from '../../../application/operations/way.ts';
import { invalidRequest } from '../../../domain/errors.ts';
import type { ReplyHeaders } from './whole-reply.ts';

/** A response as the server hands it over, with the facts that the server needs. */
export type ServedResponse = ServerResponse & {
  /** Whether the service is still starting: then only probes are answered. */
  isEarly?: boolean;
  /** Aborts when the service begins to shut down. */
  ending?: AbortSignal;
  /** How long the client of an open-ended answer may read nothing, in milliseconds. */
  patience?: number;
  /** How long the client may then take to read what is left, in milliseconds. */
  latePatience?: number;
  /** The longest time without a byte of the request body, in milliseconds. */
  bodyPatience?: number;
  /** Whether the answer has no end of its own: then its exchange has no time limit. */
  isOpenEnded?: boolean;
};

/** A response with the facts of its exchange, where Express keeps them too. */
export type ExchangeResponse = ServedResponse & { locals: Exchange };

/** What is known of one request besides the request itself. */
export type Exchange = ReturnType<typeof newExchange>;

export interface LimitHeaders {
  /** The value of `RateLimit-Policy`. */
  readonly policy: string;
  /** The value of `RateLimit`. */
  left: string;
}

/** What the log reports of an error, whose own message may quote a client. */
export interface Refusal {
  readonly code: string;
  /** The place of the first mistake, such as `[3].opts.priority`. */
  readonly field: string | undefined;
  /** The address of a request without a valid token, which anyone can send at any rate; null if it is not counted. */
  readonly address?: string | null | undefined;
}

/** How an interface names itself, where that differs from the API. */
export interface ExchangeTerms {
  readonly route?: string;
  readonly idHeader?: string;
}

/** The id that the client sent is used if it is harmless in a log and a header. */
const SAFE_ID = /^[\w.:/+=@-]{1,128}$/;

export function newExchange(
  request: IncomingMessage,
  validTarget: boolean,
  { route = 'none', idHeader = 'X-Request-Id' }: ExchangeTerms = {},
) {
  return {
    /** Ties log lines and the client's own records together; echoed in a header of the answer. */
    id: requestId(request.headers['x-request-id']),
    idHeader,
    /** Milliseconds of the monotonic clock. */
    startedAt: performance.now(),
    /** False when the request target is broken; it is then refused once the route is known. */
    validTarget,
    /** The caller that large bodies and answers are charged to; undefined for a caller known only by its address. */
    caller: undefined as string | undefined,
    /** Set once the audit has an entry of the call. */
    audited: undefined as AuditMark | undefined,
    /** The path pattern that matched, such as `/workers/:queue`. */
    route,
    /** The operation, where its name is not part of the path. */
    operation: undefined as string | undefined,
    /** The queue that the path names, as the client wrote it. */
    queue: undefined as string | undefined,
    /** Whether the connection has become a WebSocket: then there is no other answer. */
    isUpgraded: false,
    /** Why the request was refused. */
    refusal: undefined as Refusal | undefined,
    /**
     * Headers for any answer to this request. Set on the response itself, they would cost a fifth of an exchange, since
     * node:http would then check and store all headers one by one.
     */
    headers: undefined as ReplyHeaders | undefined,
    /** The headers of limits that every answer to this request carries; undefined for a caller without limits. */
    limits: undefined as LimitHeaders | undefined,
  };
}

/** Whether an answer has begun. From then on it can only be cut off. */
export function isAnswered({ headersSent, locals }: ExchangeResponse): boolean {
  return headersSent || locals.isUpgraded;
}

/** @throws DomainError `invalid-request` when the request target is broken. */
export function checkTarget({ locals }: ExchangeResponse): void {
  if (locals.validTarget) return;
  throw invalidRequest('The path of the request is not validly percent-encoded');
}

function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && SAFE_ID.test(sent) ? sent : randomUUID();
}
