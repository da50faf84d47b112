import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../../../domain/access/caller.ts';
import type { Right } from '../../../../domain/access/right.ts';
import type { LogFields } from '../../../../application/ports/logger-port.ts';
import type { TraceContext } from '../../../../application/ports/tracing-port.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { EventGrant } from '../../../../domain/events/event-ticket.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../domain/values/shape.ts';
import type { RequiredAccess } from './authentication.ts';
import type { ErrorStyle } from './error-reply.ts';
import type { RangeRequest } from '../messages/byte-range.ts';
import type { Peers } from '../messages/peers.ts';
import type { QuerySchema } from '../messages/query.ts';
import type { Operation } from '../messages/operation.ts';
import type { Reply } from '../messages/reply.ts';
import type { BodyFormat } from '../messages/request-body.ts';

/**
 * The reply to a manual call that changed something, and its log line at the default level. An audited call that
 * replies without a line has changed nothing, such as a dry run.
 */
export interface LoggedChange {
  readonly line: string;
  /** Fields of the line besides the queue and the id of the request, such as how many jobs were changed. */
  readonly fields?: LogFields;
  /** The id of the token that the call created. */
  readonly token?: string;
  readonly reply: Reply;
}

/** Where a request comes from. */
export interface Peer {
  readonly address: string;
  /** Whether its client reaches the service over TLS. */
  isSecure(): boolean;
}

export type Outcome = Reply | LoggedChange;

/** A call of another route that is part of a request. */
export interface InnerCall {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** What a client would send as JSON. */
  readonly body?: unknown;
}

/** The names of the parameters in a path pattern such as `/queues/:queue/jobs/:jobId`. */
type ParameterName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterName<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of a path, decoded. A queue name among them is valid. */
type Parameters<Path extends string> = {
  readonly [Name in ParameterName<Path>]: Name extends 'queue' ? QueueName : string;
};

/** A request as a handler sees it: everything is decoded and has the shape that the route declares. */
export interface Call<PathParameters, Body, Query> {
  readonly parameters: PathParameters;
  readonly body: Body;
  readonly query: Query;
  /** The caller, for routes that require an API token or take a ticket. */
  readonly caller: Caller;
  /** Where the request comes from. */
  readonly peer: Peer;
  /** The bearer token itself, for routes that take the token of a job or need the raw token. */
  readonly token: string;
  /** Makes a signal for a waiting call. It aborts when the client has left or the service begins to shut down. */
  readonly ending: () => AbortSignal;
  /** Makes a signal for work that is of use only to this client. It aborts when the client has left. */
  readonly gone: () => AbortSignal;
  /** Seconds that the client prefers to wait, if the route supports that and the client asks for it. */
  readonly wait: number | undefined;
  /** The last event that the client received, for routes that resume. */
  readonly lastEventId: string | undefined;
  /** The part of the answer that the client asks for, for routes that answer in parts. */
  readonly range: RangeRequest | undefined;
  /** The grant of the ticket, if the request has one in place of a token. */
  readonly grant: EventGrant | undefined;
  /** The trace of the request, if it has one. */
  readonly trace: TraceContext | undefined;
  /** The identity of the request, if the route is repeatable and the client sent a key. */
  readonly identity: AddIdentity | undefined;
  /**
   * Performs a call of another route for the same caller, as if it had made that request itself: with its rights, its
   * limit of jobs, every check of the route, the audit and the log.
   *
   * @throws the error that refuses the call.
   */
  readonly perform: (call: InnerCall) => Promise<Reply>;
}

/**
 * One row of the route table, without its handler. A row without `body` ignores it; one without `query`
 * takes no parameters.
 */
interface Declaration<Body, Query> extends Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly access: RequiredAccess;
  /** The action that the audit records, as `<thing>.<verb>`; for calls that change something. */
  readonly action?: string;
  /** Whether the route concerns all queues: callers that are limited to some queues are refused. */
  readonly needsAllQueues?: boolean;
  /** Whether no cache may store the answers, since they show what tokens there are. */
  readonly isConfidential?: boolean;
  /** Whether a session must be at most a few minutes old to call the route. */
  readonly needsFreshSession?: boolean;
  /** Refuses a request for its headers, before its body is read. @throws HttpError or DomainError. */
  checkHeaders?(request: IncomingMessage, peers: Peers): void;
  /** How many jobs a body adds, for routes that count against the limit of jobs. */
  jobsOf?(body: Body): number;
  /** The queues that a body names, even a body with mistakes: its caller must be allowed to use all of them. */
  readonly queuesIn?: (body: unknown) => Iterable<unknown>;
  /** The additional rights that some query parameters require. */
  readonly parameterRights?: Readonly<Record<string, Right>>;
  readonly body?: BodyFormat<Body>;
  readonly query?: QuerySchema<Query> | 'ignored';
  /** Whether a client may send an `Idempotency-Key`, which makes the request safe to repeat. */
  readonly isRepeatable?: boolean;
  /** Whether a client may prefer to wait for the outcome of its request (`Prefer: wait=30`). */
  readonly mayWait?: boolean;
  /** Whether a ticket, as `?ticket=`, stands in for the token. */
  readonly takesTicket?: boolean;
  /** Whether a client may ask for a WebSocket: then every reply is also a `MessageReply`. */
  readonly takesWebSocket?: boolean;
  /** Whether a client may ask for a part of the answer by a `Range` of bytes. */
  readonly takesRange?: boolean;
  /** The shape of the `Last-Event-ID` after which a client resumes. */
  readonly resumesBehind?: Shape<string>;
  /** Plain text when absent. */
  readonly errorStyle?: ErrorStyle;
}

interface RouteDefinition<PathParameters, Body, Query> extends Declaration<Body, Query> {
  handle(call: Call<PathParameters, Body, Query>): Outcome | Promise<Outcome>;
}

export type RouteDeclaration = Declaration<unknown, object>;

/** A call as the handler of any route takes it. */
export type RoutedCall = Call<Readonly<Record<string, string>>, unknown, object>;

export type Route = RouteDefinition<Readonly<Record<string, string>>, unknown, object>;

/** Declares a row. The types of its handler's arguments follow from the row itself. */
export function route<const Path extends string, Body = undefined, Query extends object = object>(
  definition: RouteDefinition<Parameters<Path>, Body, Query> & {
    readonly path: Path;
  },
): Route {
  return definition;
}
