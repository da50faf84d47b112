import type { IncomingMessage } from 'node:http';
import type { AttemptReports } from '../../../../application/attempts/attempt-reports.ts';
import type { Operations, Place } from '../../../../application/operations/operations.ts';
import type { Way } from '../../../../application/operations/way.ts';
import { NOBODY, type Caller } from '../../../../domain/access/caller.ts';
import { parseQueueName, type QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../domain/values/shape.ts';
import { lastEventIdOf } from './last-event-id.ts';
import { addIdentity, idempotencyKeyOf } from './idempotency-key.ts';
import { arrive, callerOf, type ArrivalHandling } from './arrival.ts';
import { authOf, type Auth } from './authentication.ts';
import { checkQueues, parsedBody } from './body-parsing.ts';
import type { ErrorReporter } from './error-reporter.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { checkTarget, type ExchangeResponse } from '../../exchange/exchange.ts';
import { HttpError, methodNotAllowed } from '../../exchange/http-error.ts';
import { parseQuery } from '../messages/query.ts';
import { queryOf } from '../messages/request-target.ts';
import { inAcceptedForm, type Reply } from '../messages/reply.ts';
import { checkEncoding, readBody, type BodyLimit } from '../../exchange/request-body.ts';
import type { BodyFormat } from '../messages/body-format.ts';
import { RequestCall, type RoutedRequest } from './request-call.ts';
import type { Route } from './route.ts';
import { checkOrigin, checkReadOnly } from './session-checks.ts';
import { sendReply } from '../../exchange/send-reply.ts';
import { streamReply } from '../messages/stream-reply.ts';
import type { RequestRoom } from '../../exchange/request-room.ts';
import { UNCOUNTED_SIZE, type TransferBudget } from '../../exchange/transfer-budget.ts';
import { asksForWebSocket } from '../messages/web-socket-request.ts';
import { webSocketReply } from '../messages/web-socket-reply.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };

/** The check of attempt tokens before request bodies are read. */
export type TokenCheck = Pick<AttemptReports, 'checkToken'>;

/** The dependencies of every request. */
export interface RequestHandling extends ArrivalHandling {
  /** Whether sessions of browsers may change nothing. */
  readonly isReadOnly: boolean;
  readonly attemptReports: TokenCheck;
  readonly operations: Operations;
  readonly errors: ErrorReporter;
  readonly bodyLimit: BodyLimit;
  /** One budget per kind of caller: clients without an API token cannot use up the budget of clients with one. */
  readonly budgets: Readonly<Record<Auth, TransferBudget>>;
  /** One for all callers: each body is in the same heap. */
  readonly room: RequestRoom;
  readonly turns: EventLoopTurns;
  readonly queueName: Shape<QueueName>;
}

/**
 * One path pattern with all its methods. `handle` checks in a fixed order: the token, its right, the queue, the target,
 * then everything else (platform contract, section 11).
 */
export class Resource {
  readonly #path: string;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #allow: string;
  /** The authentication that a request with an unsupported method needs to get a 405. */
  readonly #defaultAuth: Auth;
  readonly #handling: RequestHandling;

  constructor(path: string, routes: readonly Route[], handling: RequestHandling) {
    const byMethod = new Map(routes.map((route) => [route.method as string, route]));
    const get = byMethod.get('GET');
    if (get !== undefined) byMethod.set('HEAD', get);
    this.#path = path;
    this.#routes = byMethod;
    this.#allow = [...byMethod.keys()].sort().join(', ');
    this.#defaultAuth = routes.every(({ access }) => access === 'nothing') ? 'none' : 'api';
    this.#handling = handling;
  }

  /** Answers one request, even if it fails: the promise never rejects. */
  async handle(request: RoutedRequest, response: ExchangeResponse): Promise<void> {
    const { method = '', params } = request;
    response.locals.route = this.#path;
    response.locals.queue = (params as { readonly queue?: string }).queue;
    const route = this.#routes.get(method);
    const auth = route === undefined ? this.#defaultAuth : authOf(route.access);
    const budget = this.#handling.budgets[auth];
    try {
      const answer = await this.#answer(route, auth, request, response);
      const reply = inAcceptedForm(answer, request.headers.accept);
      if ('openMessages' in reply && asksForWebSocket(request)) {
        await webSocketReply(request, response, reply, budget);
        return;
      }
      if (!('body' in reply)) {
        await streamReply(request, response, reply, budget);
        return;
      }
      const { length } = reply.body;
      if (length > UNCOUNTED_SIZE) {
        if (route?.method === 'GET') budget.reserve(response, length);
        // The change is already made, so the reply must be sent.
        else budget.charge(response, length);
      }
      sendReply(request, response, reply);
    } catch (error) {
      this.#handling.errors.report(error, request, response, route?.errorStyle);
    } finally {
      budget.refundAfter(response);
    }
  }

  async #answer(
    route: Route | undefined,
    auth: Auth,
    request: RoutedRequest,
    response: ExchangeResponse,
  ): Promise<Reply> {
    const arriving = arrive(this.#handling, route, auth, request, response);
    const arrival = arriving instanceof Promise ? await arriving : arriving;
    const { caller } = arrival;
    if (caller.session !== undefined || route?.isConfidential === true) forbidStoring(response);
    const { operations, room, peers, queueName, turns } = this.#handling;
    const call = new RequestCall(arrival, request, response, route, peers, room);
    const counted = call.count('requests', 1);
    if (counted !== undefined) await counted;
    const { parameters } = call;
    const { queue } = parameters;
    // A job token is not checked yet: bytes that are read before the check are charged to the queue.
    if (auth === 'job') response.locals.caller = queue;
    else if (caller !== NOBODY) response.locals.caller = caller.id;
    if (route === undefined) throw methodNotAllowed(request.method ?? '', this.#allow);
    if (caller.session !== undefined) await this.#checkSession(route, call);
    const admitted = operations.admit(route, call, placeOf(route, parameters), isGivenBy(request));
    if (admitted !== undefined) await admitted;
    checkTarget(response);
    route.checkHeaders?.(request, peers);
    const { body: format, query = {}, resumesBehind } = route;
    if (query !== 'ignored') call.query = parseQuery(query, request.url ?? '');
    call.lastEventId = resumesBehind && lastEventIdOf(request, resumesBehind);
    const key = route.isRepeatable === true ? idempotencyKeyOf(request) : undefined;
    const bytes = format && (await this.#bytes(auth, format, call));
    if (bytes !== undefined) room.takeBody(response, bytes);
    call.body = format && bytes && (await this.#body(route, format, bytes, call));
    if (queue !== undefined) parseQueueName(queue, queueName);
    if (key !== undefined && bytes !== undefined) {
      const space = caller.keySpace;
      call.identity = await addIdentity(key, space, this.#path, parameters, bytes, turns);
    }
    const reply = await route.handle(call, operations);
    if ('openPieces' in reply) this.#endWithToken(caller, request, response);
    return reply;
  }

  /** @throws DomainError `forbidden`, once the audit has it. */
  async #checkSession(route: Route, call: RequestCall): Promise<void> {
    const { operations, peers, isReadOnly } = this.#handling;
    try {
      checkOrigin(call.request, peers);
      if (isReadOnly) checkReadOnly(call.request);
    } catch (error) {
      await operations.refuse(route, call, placeOf(route, call.parameters), error);
    }
  }

  /** An answer without an end is cut once the token of its caller is revoked (platform contract, section 11). */
  #endWithToken(caller: Caller, { socket }: IncomingMessage, response: ExchangeResponse): void {
    if (caller === NOBODY) return;
    const end = this.#handling.authentication.watch(caller, () => socket.destroy());
    socket.once('close', end);
    response.once('finish', end);
  }

  async #body(
    route: Route,
    format: BodyFormat<unknown>,
    bytes: Buffer,
    way: Way,
  ): Promise<unknown> {
    const { operations, turns } = this.#handling;
    try {
      return await parsedBody(format, bytes, turns);
    } catch (mistake) {
      try {
        if (route.checkQueuesIn !== undefined) {
          checkQueues(bytes, route.checkQueuesIn, way.caller);
        }
      } catch (refusal) {
        await operations.refuse(route, way, {}, refusal);
      }
      throw mistake;
    }
  }

  #bytes(
    auth: Auth,
    format: BodyFormat<unknown>,
    { parameters, request, response, token }: RequestCall,
  ): Promise<Buffer> {
    checkEncoding(request);
    const { attemptReports, bodyLimit, budgets, queueName } = this.#handling;
    const size =
      format.limit !== undefined && format.limit.bytes < bodyLimit.bytes ? format.limit : bodyLimit;
    const { queue = '', jobId = '' } = parameters;
    const admit =
      auth === 'job'
        ? () => attemptReports.checkToken(parseQueueName(queue, queueName), { jobId, token })
        : undefined;
    return readBody(request, response, { size, budget: budgets[auth], admit });
  }
}

/** Returns the queue, job, scheduler, hook or token that the path of a request names. */
function placeOf({ placeOf: named }: Route, parameters: Readonly<Record<string, string>>): Place {
  return named?.(parameters) ?? parameters;
}

/** Whether a request has a query parameter of a name. */
function isGivenBy({ url = '' }: IncomingMessage): (name: string) => boolean {
  return (name) => new URLSearchParams(queryOf(url)).has(name);
}

/** Clients that share a browser or a proxy must not find the answers to each other there. */
function forbidStoring({ locals }: ExchangeResponse): void {
  locals.headers = { ...locals.headers, ...NO_STORE };
}

/** A path that no pattern matches. Only callers with a token get a 404. */
export async function handleUnknownPath(
  handling: RequestHandling,
  request: IncomingMessage,
  response: ExchangeResponse,
): Promise<void> {
  try {
    await callerOf(handling, handling.peers.addressOf(request) ?? '', request);
    checkTarget(response);
    throw new HttpError('path-not-found', 'There is nothing at this path');
  } catch (error) {
    handling.errors.report(error, request, response);
  }
}
