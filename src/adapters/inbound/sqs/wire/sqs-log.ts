import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { UnauthorizedLog } from '../../../shared/unauthorized-log.ts';
import type { SqsExchange } from '../sqs-listener.ts';
import { SqsError } from './sqs-error.ts';

/** How the log names the path. */
const ROUTE = '/sqs';

/**
 * Logs a line for each refused request; those without a valid token are counted. Success is the normal case, and is
 * logged only at debug level. Names of queues may be personal, and are not logged.
 */
export class SqsLog {
  readonly #logger: LoggerPort;
  readonly #unauthorized: UnauthorizedLog;

  constructor(logger: LoggerPort) {
    this.#logger = logger;
    this.#unauthorized = new UnauthorizedLog(logger);
  }

  /** @param status undefined when the client left before there was an answer. */
  answered(exchange: SqsExchange, status: number | undefined): void {
    const { id: requestId, operation, failure, startedAt, way, address } = exchange;
    const isWithoutToken = failure?.error === 'InvalidClientTokenId';
    if (isWithoutToken) this.#unauthorized.add(ROUTE, address);
    const isRefused = failure !== undefined && !isWithoutToken;
    if (!isRefused && !this.#logger.writesDebug) return;
    const duration = Math.round((performance.now() - startedAt) * 1000) / 1000;
    const fields = {
      ...{ requestId, method: 'POST', route: ROUTE, duration },
      ...(operation !== undefined && { operation }),
    };
    if (status === undefined) {
      this.#logger.debug('Request abandoned by its client', fields);
      return;
    }
    const why = failure === undefined ? {} : { code: failure.error, ...way?.mark };
    this.#logger[isRefused ? 'info' : 'debug']('Request answered', { ...fields, status, ...why });
  }

  /** Logs an error that no client can have caused. @returns what the client learns of it. */
  defect(error: unknown, { id: requestId, operation = 'none' }: SqsExchange): SqsError {
    this.#logger.error('Request failed', { requestId, route: ROUTE, operation, error });
    return new SqsError('InternalFailure', 'Internal server error');
  }
}
