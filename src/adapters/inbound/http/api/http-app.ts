import type { IncomingMessage, RequestListener } from 'node:http';
import { Router, type Express, type NextFunction, type Request, type Response } from 'express';
import type { Application } from '../../../../application/application.ts';
import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { Operations } from '../../../../application/operations/operations.ts';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { DomainError } from '../../../../domain/errors.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../domain/values/shape.ts';
import type { ConfiguredTokens } from '../../../../application/access/configured-tokens.ts';
import { Authentication } from './authentication.ts';
import { ErrorReporter } from './error-reporter.ts';
import type { ExchangeObserver } from '../../exchange/exchange-observer.ts';
import { EventLoopTurns } from '../messages/event-loop-turns.ts';
import {
  newExchange,
  type Exchange,
  type ExchangeResponse,
  type ServedResponse,
} from '../../exchange/exchange.ts';
import type { Peers } from '../../exchange/peers.ts';
import { LimitedCallers } from '../../exchange/limited-callers.ts';
import { exchangeEnd } from '../../exchange/request-log.ts';
import { likelyTarget, originForm } from '../messages/request-target.ts';
import { bodyLimit } from '../../exchange/request-body.ts';
import { handleUnknownPath, Resource, type RequestHandling } from './resource.ts';
import type { Route } from './route.ts';
import { paths } from './paths.ts';
import { serviceDocument } from './openapi/service-document.ts';
import { ProcessHeap } from '../../../shared/process-heap.ts';
import { RequestRoom } from '../../exchange/request-room.ts';
import { TransferBudget } from '../../exchange/transfer-budget.ts';
import type { DashboardSettings } from '../site/dashboard/dashboard-mode.ts';
import { createSite } from '../site/site.ts';

/**
 * How many requests of the largest size are served at once; beyond that, large requests are refused for the time being.
 */
const LARGE_REQUESTS = 8;

/** How many of these a single caller may have when there are other callers, who always find room this way. */
const LARGE_REQUESTS_OF_ONE = 6;

/** The paths of probes, which are answered while the service starts. */
const PROBE = /^\/health\/(?:live|ready)(?:\?|$)/;

export interface HttpAppSettings {
  readonly tokens: ConfiguredTokens;
  readonly peers: Peers;
  /** Longest request body, in bytes. */
  readonly maxBodySize: number;
  readonly queueName: Shape<QueueName>;
  /** Observes every request. */
  readonly exchanges: ExchangeObserver;
  readonly dashboard: DashboardSettings;
  /** The version of the service, for its documentation. */
  readonly version: string;
}

/** The operations that the interface serves. */
export interface ServedOperations {
  /** The use cases that find out who calls. */
  readonly application: Pick<
    Application,
    | 'attemptReports'
    | 'issuedTokens'
    | 'repairCodes'
    | 'requestLimits'
    | 'sessions'
    | 'tickets'
    | 'workloadTokens'
  >;
  readonly catalogue: OperationCatalogue;
  readonly operations: Operations;
}

/** The REST interface of the service, as a listener for a server. */
export function createHttpApp(
  { application, catalogue, operations }: ServedOperations,
  logger: LoggerPort,
  settings: HttpAppSettings,
): RequestListener {
  const turns = new EventLoopTurns();
  const { tokens, peers, maxBodySize, queueName } = settings;
  const { exchanges, dashboard, version } = settings;
  // Of one client, all requests with an API token, which then need not leave room for others.
  const isOnlyClient = tokens.all.length === 1;
  const { repairCodes } = application;
  const routes = paths(catalogue, { repairCodes, turns, queueName, version });
  const newBudget = (ofOne = LARGE_REQUESTS_OF_ONE): TransferBudget =>
    new TransferBudget(LARGE_REQUESTS * maxBodySize, ofOne * maxBodySize);
  const budgets = {
    api: newBudget(isOnlyClient ? LARGE_REQUESTS : LARGE_REQUESTS_OF_ONE),
    job: newBudget(),
    none: newBudget(),
  };
  const { pages } = serviceDocument(routes, version, queueName);
  const errors = new ErrorReporter(logger, peers);
  const router = createRouter(routes, createSite(pages, dashboard, budgets.none), {
    authentication: new Authentication({
      configured: tokens,
      issued: application.issuedTokens,
      sessions: application.sessions,
      workloads: application.workloadTokens,
    }),
    peers,
    isReadOnly: dashboard.mode === 'readonly',
    limitedCallers: new LimitedCallers(application.requestLimits),
    tickets: application.tickets,
    attemptReports: application.attemptReports,
    operations,
    errors,
    bodyLimit: bodyLimit(maxBodySize),
    budgets,
    room: new RequestRoom(new ProcessHeap()),
    turns,
    queueName,
  });

  const close = exchangeEnd(logger, exchanges);
  return (request, response) => {
    begin(request, response as ExchangeResponse);
    response.on('close', close);
    const { isEarly = false } = response as ServedResponse;
    if (!isEarly || PROBE.test(request.url ?? '')) {
      router(request as Request, response as Response, unreachable);
    } else {
      errors.report(serviceStarting(), request, response as ExchangeResponse);
    }
  };
}

function serviceStarting(): DomainError {
  return new DomainError('store-unavailable', 'The service is starting, try again later');
}

type Answer = Response<unknown, Exchange>;

/** Checks that must precede Express, which accepts any request target. */
function begin(request: IncomingMessage, response: ExchangeResponse): void {
  const target = request.url ?? '';
  const valid = originForm(target);
  request.url = valid ?? likelyTarget(target);
  response.locals = newExchange(request, valid !== undefined);
}

/**
 * The routes of the API are on a bare router: an Express application changes the prototype of every request and
 * response, which makes these objects slow from then on. Only requests that match no route go to the application of the
 * site.
 */
function createRouter(routes: readonly Route[], site: Express, handling: RequestHandling): Router {
  const router = Router({ caseSensitive: true });
  for (const path of new Set(routes.map((route) => route.path))) {
    const resource = new Resource(
      path,
      routes.filter((route) => route.path === path),
      handling,
    );
    router
      .route(pathExpression(path))
      .all((request, response: Answer) => resource.handle(request, response));
  }
  router.use(site);
  router.use((request: Request, response: Answer) =>
    handleUnknownPath(handling, request, response),
  );
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- four parameters make it the error handler
  router.use((error: unknown, request: Request, response: Answer, _next: NextFunction) => {
    handling.errors.report(error, request, response);
  });
  return router;
}

/**
 * The pattern of a path as a regular expression. The router collects the parameters of a pattern in an object without a
 * prototype, which takes the engine several microseconds to fill each time; it collects those of a regular expression
 * in a plain object.
 */
function pathExpression(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`);
}

/** The last two handlers of the router take every request that reaches them. */
function unreachable(): never {
  throw new Error('A request went past all handlers');
}
