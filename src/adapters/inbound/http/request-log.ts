import type { ServerResponse } from 'node:http';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { Exchange } from './exchange.ts';

/**
 * One line per answered or abandoned request. Success is the normal case and only shows with debug
 * logs; the path is given as its pattern, because names in it may be personal.
 */
export function logRequest(logger: LoggerPort, response: ServerResponse, exchange: Exchange): void {
  const { statusCode: status, headersSent } = response;
  const refused = headersSent && status >= 400;
  if (!refused && !logger.writesDebug) return;
  const duration = Math.round((performance.now() - exchange.startedAt) * 1000) / 1000;
  const { id: requestId, route } = exchange;
  const fields = { requestId, method: response.req.method, route, duration };
  if (!headersSent) logger.debug('Request abandoned by its client', fields);
  else logger[refused ? 'info' : 'debug']('Request answered', { ...fields, status });
}
