import type { IncomingMessage } from 'node:http';
import type { Operation, OperationTerms } from '../../../../application/operations/operation.ts';
import type { Operations, Place } from '../../../../application/operations/operations.ts';
import type { Way } from '../../../../application/operations/way.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import type { EventGrant } from '../../../../domain/events/event-ticket.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../domain/values/shape.ts';
import type { ErrorStyle } from './error-reply.ts';
import type { RangeRequest } from '../messages/byte-range.ts';
import type { Peers } from '../../exchange/peers.ts';
import type { QuerySchema } from '../messages/query.ts';
import type { OperationDocument } from '../messages/operation.ts';
import { json, OK, type Reply } from '../messages/reply.ts';
import type { BodyFormat } from '../messages/body-format.ts';

/** Where a request comes from. */
export interface Peer {
  readonly address: string;
  /** Whether its client reaches the service over TLS. */
  isSecure(): boolean;
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

/** A request as a route sees it: everything is decoded and has the shape that the route declares. */
export interface Call<PathParameters, Body, Query> extends Way {
  readonly parameters: PathParameters;
  readonly body: Body;
  readonly query: Query;
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

/** The HTTP side of an operation. A row without `body` ignores it; one without `query` takes no parameters. */
interface Declaration<Body, Query> extends OperationDocument {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Maps path parameters to the names that operations use, where these differ. */
  readonly placeOf?: (parameters: Readonly<Record<string, string>>) => Place;
  /** Whether no cache may store the answers, since they show what tokens there are. */
  readonly isConfidential?: boolean;
  /** Refuses a request for its headers, before its body is read. @throws HttpError or DomainError. */
  checkHeaders?(request: IncomingMessage, peers: Peers): void;
  /** Refuses a caller for the queues that a body names, even a body with mistakes. @throws DomainError `forbidden`. */
  readonly checkQueuesIn?: (body: unknown, caller: Caller) => void;
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

/** A row of the route table without its handler. */
export type RouteDeclaration = Declaration<unknown, object> & OperationTerms;

/** A call as any route takes it. */
export type RoutedCall = Call<Readonly<Record<string, string>>, unknown, object>;

export interface Route extends RouteDeclaration {
  /** @throws DomainError */
  handle(call: RoutedCall, operations: Operations): Promise<Reply>;
}

/** The input that a request has without a mapping: its parameters, its query and, as `order`, its body. */
type Given<Path extends string, Body, Query> = Parameters<Path> &
  Query &
  (Body extends undefined ? unknown : { readonly order: Body });

type InputOf<CallOfRoute, GivenInput, Input> = GivenInput extends Input
  ? { readonly input?: (call: CallOfRoute) => Input }
  : { readonly input: (call: CallOfRoute) => Input };

interface RouteDefinition<Path extends string, Body, Query, Input, Answer> extends Declaration<
  Body,
  Query
> {
  readonly path: Path;
  readonly operation: Operation<Input, Answer>;
  /** The reply to an answer: `OK` for none, otherwise the answer as JSON. */
  readonly reply?: (
    answer: Answer,
    call: Call<Parameters<Path>, Body, Query>,
  ) => Reply | Promise<Reply>;
}

/** Declares a row: an operation with its method, path, schemas and replies. */
export function route<
  const Path extends string,
  Input,
  Answer,
  Body = undefined,
  Query extends object = object,
>(
  definition: RouteDefinition<Path, Body, Query, Input, Answer> &
    InputOf<Call<Parameters<Path>, Body, Query>, Given<Path, Body, Query>, Input>,
): Route {
  const { operation, ...declaration } = definition as unknown as AnyRoute;
  const { input = givenInput(declaration), reply = defaultReply } = declaration;
  return {
    ...declaration,
    ...termsOf(operation),
    handle: async (call, operations) =>
      reply(await operations.perform(operation, call, input(call)), call),
  };
}

interface PlainDefinition<Path extends string, Body, Query>
  extends Declaration<Body, Query>, OperationTerms {
  readonly path: Path;
  handle(call: Call<Parameters<Path>, Body, Query>, operations: Operations): Promise<Reply>;
}

/** Declares a row that is not one operation, such as a protocol with operations of its own. */
export function plainRoute<
  const Path extends string,
  Body = undefined,
  Query extends object = object,
>(definition: PlainDefinition<Path, Body, Query>): Route {
  return definition;
}

type AnyRoute = RouteDefinition<string, unknown, object, unknown, unknown> & {
  readonly input?: (call: RoutedCall) => unknown;
};

function termsOf(terms: OperationTerms): OperationTerms {
  const { id, access, action, isAboutWorker } = terms;
  const { orRight, andRight, needsAllQueues, needsFreshSession, fieldRights } = terms;
  return {
    ...{ id, access },
    ...(orRight !== undefined && { orRight }),
    ...(andRight !== undefined && { andRight }),
    ...(action !== undefined && { action }),
    ...(isAboutWorker !== undefined && { isAboutWorker }),
    ...(needsAllQueues !== undefined && { needsAllQueues }),
    ...(needsFreshSession !== undefined && { needsFreshSession }),
    ...(fieldRights !== undefined && { fieldRights }),
  };
}

function givenInput({ body }: Pick<AnyRoute, 'body'>): (call: RoutedCall) => unknown {
  if (body === undefined) return ({ parameters, query }) => ({ ...parameters, ...query });
  return ({ parameters, query, body: order }) => ({ ...parameters, ...query, order });
}

function defaultReply(answer: unknown): Reply {
  return answer === undefined ? OK : json(answer);
}
