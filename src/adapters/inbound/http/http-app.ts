import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Application } from '../../../application/application.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { QueueNameLimits } from '../../../domain/queue-name.ts';
import { Authentication } from './authentication.ts';
import { ErrorReporter } from './error-reporter.ts';
import { newExchange, type Exchange } from './exchange.ts';
import { logRequest } from './request-log.ts';
import { likelyTarget, originForm } from './request-target.ts';
import { handleUnknownPath, Resource, type RequestHandling } from './resource.ts';
import type { Route } from './route.ts';
import { healthRoutes } from './routes/health.routes.ts';
import { jobRoutes } from './routes/jobs.routes.ts';
import { workerRoutes } from './routes/workers.routes.ts';

export interface HttpAppSettings {
  /** API tokens; without any, nobody is let in. */
  readonly tokens: readonly string[];
  /** Longest request body, in bytes. */
  readonly maxBodySize: number;
  readonly queueNameLimits: QueueNameLimits;
}

/** The REST interface of the service, to be given to a server. */
export function createHttpApp(
  application: Application,
  logger: LoggerPort,
  settings: HttpAppSettings,
): RequestListener {
  const routes = [
    ...jobRoutes(application.jobs),
    ...workerRoutes(application.workers, settings.queueNameLimits),
    ...healthRoutes(application.health),
  ];
  const app = createExpress(routes, {
    authentication: new Authentication(settings.tokens),
    errors: new ErrorReporter(logger),
    maxBodySize: settings.maxBodySize,
  });

  function logClosed(this: ServerResponse): void {
    logRequest(logger, this, (this as Answer).locals);
  }
  return (request, response) => {
    begin(request, response as Answer);
    response.on('close', logClosed);
    app(request, response);
  };
}

type Answer = Response<unknown, Exchange>;

/** What must be settled before Express looks at the request, which takes any target for granted. */
function begin(request: IncomingMessage, response: Answer): void {
  const target = request.url ?? '';
  const valid = originForm(target);
  request.url = valid ?? likelyTarget(target);
  response.locals = newExchange(request, valid !== undefined);
  response.setHeader('X-Request-Id', response.locals.id);
}

function createExpress(routes: readonly Route[], handling: RequestHandling): Express {
  const app = express();
  // What Express would do for every request and nobody here asks for.
  app.disable('x-powered-by').disable('etag').disable('query parser');
  app.enable('case sensitive routing');
  for (const path of new Set(routes.map((route) => route.path))) {
    const resource = new Resource(
      path,
      routes.filter((route) => route.path === path),
      handling,
    );
    app.route(path).all((request, response: Answer) => resource.handle(request, response));
  }
  app.use((request: Request, response: Answer) => {
    handleUnknownPath(handling, request, response);
  });
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- four parameters make it the error handler
  app.use((error: unknown, request: Request, response: Answer, _next: NextFunction) => {
    handling.errors.report(error, request, response);
  });
  return app;
}
