import type { IncomingMessage } from 'node:http';
import type { Option } from '../../../../application/operations/input.ts';
import type {
  DocumentedOperation,
  Documentation,
  OperationTerms,
} from '../../../../application/operations/operation.ts';
import type { Operations, Place } from '../../../../application/operations/operations.ts';
import type { Out } from '../../../../application/operations/out.ts';
import type { Way } from '../../../../application/operations/way.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import type { EventGrant } from '../../../../domain/events/event-ticket.ts';
import type { Shape } from '../../../../domain/values/shape.ts';
import type { ErrorCode } from '../../exchange/http-error.ts';
import type { Peers } from '../../exchange/peers.ts';
import type { BodyFormat } from '../messages/body-format.ts';
import type { RangeRequest } from '../messages/byte-range.ts';
import {
  replyContent,
  type OperationDocument,
  type OwnContent,
  type ReplyContent,
  type Tag,
} from '../messages/operation.ts';
import type { QuerySchema } from '../messages/query.ts';
import { json, OK, type Reply } from '../messages/reply.ts';
import type { ErrorStyle } from './error-reply.ts';
import { orderBody } from './schemas/body-formats.ts';

/** Where a request comes from. */
export interface Peer {
  readonly address: string;
  /** Whether its client reaches the service over TLS. */
  isSecure(): boolean;
}

/** A request as a route sees it: everything is decoded and has the shape that the route declares. */
export interface Call extends Way {
  /** The parameters of the path, decoded. A queue name among them is valid. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  /** Where the request comes from. */
  readonly peer: Peer;
  /** The bearer token itself, for routes that take the token of a job or need the raw token. */
  readonly token: string;
  /** Seconds that the client prefers to wait, if the route supports that and the client asks for it. */
  readonly wait: number | undefined;
  /** The last event that the client received, for routes that resume. */
  readonly lastEventId: string | undefined;
  /** The part of the answer that the client asks for, for routes that answer in parts. */
  readonly range: RangeRequest | undefined;
  /** The grant of the ticket, if the request has one in place of a token. */
  readonly grant: EventGrant | undefined;
}

/** Optional fields of a row of the table of routes, beside its method, path and operation. */
interface RouteTerms {
  /** Maps path parameters to the names that operations use, where these differ. */
  readonly placeOf?: (parameters: Readonly<Record<string, string>>) => Place;
  /** Whether no cache may store the answers, since they show what tokens there are. */
  readonly isConfidential?: boolean;
  /** Refuses a request for its headers, before its body is read. @throws HttpError or DomainError. */
  checkHeaders?(request: IncomingMessage, peers: Peers): void;
  /** Refuses a caller for the queues that a body names, even a body with mistakes. @throws DomainError `forbidden`. */
  readonly checkQueuesIn?: (body: unknown, caller: Caller) => void;
  /** The body, where it is read in a way of its own. A route without one ignores it. */
  readonly body?: BodyFormat<unknown>;
  readonly query?: QuerySchema | 'ignored';
  /** Whether a client may send an `Idempotency-Key`, which makes the request safe to repeat. */
  readonly isRepeatable?: boolean;
  /** Whether a client may prefer to wait for the outcome of its request (`Prefer: wait=30`). */
  readonly mayWait?: boolean;
  /** Whether a client may say what the start of its attempt counted in limiters (`Jobgate-Cost`). */
  readonly takesCost?: boolean;
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

/** A row of the route table without its handler. */
export interface RouteDeclaration extends RouteTerms, OperationTerms, OperationDocument {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

export interface Route extends RouteDeclaration {
  /** @throws DomainError */
  handle(call: Call, operations: Operations): Promise<Reply>;
}

/** A row of a part of the table, of which all rows have one tag. */
export type UntaggedRoute = Omit<Route, 'tag'>;

/** Options of a row that do not follow from its operation. */
interface RouteOptions<Input, Answer> extends Omit<RouteTerms, 'query'> {
  /** Adds parameters that the operation does not know. */
  readonly query?: 'ignored' | ((own: QuerySchema) => QuerySchema);
  /** Parts of the input that come from elsewhere than the path, the query and the body. */
  readonly given?: (call: Call, input: Input) => Partial<Input>;
  /** The reply to an answer: `OK` for none, otherwise the answer as JSON. */
  readonly reply?: (answer: Answer, call: Call, input: Input) => Reply | Promise<Reply>;
  /** The status of the answer: 200, or 204 for one without a body. */
  readonly status?: number;
  /** The type and schema of an answer that is neither JSON nor `OK`. */
  readonly content?: OwnContent;
  /** Further answers by status. */
  readonly replies?: Readonly<Record<number, ReplyContent>>;
  /** Errors of HTTP, besides those of the operation. */
  readonly errors?: readonly ErrorCode[];
}

/**
 * Declares a row: an operation with its method and path, from which everything else follows.
 *
 * @throws Error when the path does not name what the operation is about.
 */
export function route<Input, Answer>(
  method: Route['method'],
  path: string,
  operation: DocumentedOperation<Input, Answer>,
  options: RouteOptions<Input, Answer> = {},
): UntaggedRoute {
  const { given, reply = defaultReply, status, content, replies } = options;
  const { query, errors = [] } = options;
  const { in: parts, out } = operation;
  checkNames(path, parts, options);
  const body = options.body ?? bodyIn(parts);
  const inputOf = inputReader(operation, body !== undefined, options) as (call: Call) => Input;
  return {
    ...operation,
    ...options,
    method,
    path,
    ...(body && { body }),
    query: typeof query === 'function' ? query(optionsIn(parts)) : (query ?? optionsIn(parts)),
    replies: { [status ?? statusOf(out)]: replyContent(out, content), ...replies },
    errors: [...(operation.errors ?? []), ...errors],
    handle: async (call, operations) => {
      const derived = inputOf(call);
      const input = given === undefined ? derived : { ...derived, ...given(call, derived) };
      return reply(await operations.perform(operation, call, input, true), call, input);
    },
  };
}

/** The rows of a part of the table. */
export function tagged(tag: Tag, rows: readonly UntaggedRoute[]): readonly Route[] {
  return rows.map((row) => ({ ...row, tag }));
}

type Parts = Documentation['in'];

function checkNames(path: string, parts: Parts, { placeOf }: Pick<RouteTerms, 'placeOf'>): void {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, ''] as const);
  const parameters: Readonly<Record<string, string>> = Object.fromEntries(names);
  const named = new Set(Object.keys(placeOf?.(parameters) ?? parameters));
  for (const [name, { kind }] of Object.entries(parts)) {
    if (kind === 'place' && !named.has(name)) throw new Error(`${path} does not name ${name}`);
  }
}

/** The parameters of a query that an operation takes. */
export function optionsIn(parts: Parts): QuerySchema {
  const entries = Object.entries(parts).flatMap(([name, part]): [string, Option<unknown>][] => {
    if (part.kind === 'option') return [[name, part]];
    return part.kind === 'options' ? Object.entries<Option<unknown>>(part.options) : [];
  });
  return Object.fromEntries(entries);
}

function bodyIn(parts: Parts): BodyFormat<unknown> | undefined {
  const order = Object.values(parts).find((part) => part.kind === 'order');
  return order && orderBody(order);
}

/** Reads the input of a request: its parameters, its query, as `order` its body and, of a holder of a job, its token. */
function inputReader(
  { access, orHolder = false, in: parts }: OperationTerms & Documentation,
  hasBody: boolean,
  { placeOf }: Pick<RouteTerms, 'placeOf'>,
): (call: Call) => object {
  const together = Object.keys(parts).find((name) => parts[name]?.kind === 'options');
  return ({ parameters, query, body, token }) => ({
    ...(placeOf?.(parameters) ?? parameters),
    ...(together === undefined ? query : { [together]: query }),
    ...(hasBody && { order: body }),
    ...((access === 'job-token' || (orHolder && token !== '')) && { token }),
  });
}

function statusOf({ kind }: Out): number {
  return kind === 'nothing' ? 204 : 200;
}

function defaultReply(answer: unknown): Reply {
  return answer === undefined ? OK : json(answer);
}
