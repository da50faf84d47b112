import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { MetricsPort } from '../../../../application/ports/metrics-port.ts';
import { newExchange, type ExchangeResponse } from '../../exchange/exchange.ts';
import { HttpError, methodNotAllowed } from '../../exchange/http-error.ts';
import { Peers } from '../../exchange/peers.ts';
import { sendReply } from '../../exchange/send-reply.ts';
import { ErrorReporter } from './error-reporter.ts';

/** Serves `GET /metrics` alone, without a token: for a separate server that only the monitoring system can reach. */
export function createMetricsApp(metrics: MetricsPort, logger: LoggerPort): RequestListener {
  const errors = new ErrorReporter(logger, new Peers({}));
  return (request, plain) => {
    const response = asExchange(request, plain);
    answer(metrics, request, response).catch((error: unknown) => {
      errors.report(error, request, response);
    });
  };
}

async function answer(
  metrics: MetricsPort,
  request: IncomingMessage,
  response: ExchangeResponse,
): Promise<void> {
  const { method = '', url = '' } = request;
  if (url.split('?', 1)[0] !== '/metrics') {
    throw new HttpError('path-not-found', 'There is nothing at this path');
  }
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, 'GET, HEAD');
  const body = await metrics.read();
  sendReply(request, response, { status: 200, contentType: metrics.contentType, body });
}

function asExchange(request: IncomingMessage, response: ServerResponse): ExchangeResponse {
  return Object.assign(response, { locals: newExchange(request, true) });
}
