import type { Auth } from './authentication.ts';
import type { ErrorStyle } from './error-reply.ts';
import type { QuerySchema } from '../messages/query.ts';
import type { Operation } from '../messages/operation.ts';
import type { Reply } from '../messages/reply.ts';
import type { BodyFormat } from '../messages/request-body.ts';

/** The names of the parameters in a path pattern such as `/queues/:queue/jobs/:jobId`. */
type ParameterName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterName<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** A request as a handler sees it: everything is decoded, and has the shape the route declares. */
export interface Call<Parameters, Body, Query> {
  readonly parameters: Parameters;
  readonly body: Body;
  readonly query: Query;
  /** The bearer token, for routes that are called with the token of a job. */
  readonly token: string;
}

/**
 * One row of the route table, without what it does. A row without `body` ignores it; one without `query`
 * takes no parameters.
 */
interface Declaration<Body, Query> extends Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly auth: Auth;
  readonly body?: BodyFormat<Body>;
  readonly query?: QuerySchema<Query> | 'ignored';
  /** Plain text when absent. */
  readonly errorStyle?: ErrorStyle;
}

interface RouteDefinition<Parameters, Body, Query> extends Declaration<Body, Query> {
  handle(call: Call<Parameters, Body, Query>): Reply | Promise<Reply>;
}

export type RouteDeclaration = Declaration<unknown, object>;

export type Route = RouteDefinition<Readonly<Record<string, string>>, unknown, object>;

/** Writes a row, with the types of what its handler gets taken from the row itself. */
export function route<const Path extends string, Body = undefined, Query extends object = object>(
  definition: RouteDefinition<Readonly<Record<ParameterName<Path>, string>>, Body, Query> & {
    readonly path: Path;
  },
): Route {
  return definition;
}
