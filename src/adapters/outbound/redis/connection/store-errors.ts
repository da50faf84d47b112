import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import {
  isStoreUnavailable,
  storedOrNot,
  storeOutOfMemory,
  storeUnavailable,
  type DomainError,
} from '../../../../domain/errors.ts';
import { FailureLog } from './failure-log.ts';
import type { StoreOutage } from './store-outage.ts';
import { ConnectionLost, Unanswered } from './watched-connection.ts';

/** Answers of a server that is up but cannot work right now. All of these states pass by themselves. */
const OUT_OF_ORDER = [
  'LOADING',
  'READONLY',
  'MASTERDOWN',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'MOVED',
  'ASK',
  'OOM',
  'MISCONF',
  'BUSY',
  'UNKILLABLE',
  'NOREPLICAS',
  'EXECABORT',
];

/** Answers whose cause only the operator can resolve: permissions, or a key of another program. */
const WRONGLY_SET_UP = [
  'NOAUTH',
  'WRONGPASS',
  'NOPERM',
  'WRONGTYPE',
  'ERR unknown command',
  'ERR value is not an integer',
];

/** An error inside a script begins with its code or, on older servers, has it after a dash. */
const CANNOT_WORK = new RegExp(`(?:^|: -)(?:${[...OUT_OF_ORDER, ...WRONGLY_SET_UP].join('|')})\\b`);

/** The same of a server whose memory is used up. */
const OUT_OF_MEMORY = /(?:^|: -)OOM\b/;

/**
 * Turns every failure of the store into one domain error, and logs the cause, of which clients learn only that the memory
 * is used up. While the connection is lost, the cause is that of the outage, which is already in the log; the client library would name its
 * own settings instead.
 */
export class StoreErrors {
  readonly #log: FailureLog;
  readonly #outage: StoreOutage;

  constructor(logger: LoggerPort, clock: ClockPort, outage: StoreOutage) {
    this.#outage = outage;
    this.#log = new FailureLog('The store is unavailable', logger, clock);
  }

  /**
   * Resolves when a connection that was lost a moment ago is back or the wait for it is over; undefined when there is
   * nothing to wait for.
   */
  returning(): Promise<void> | undefined {
    return this.#outage.returning();
  }

  /**
   * Runs the commands, after waiting for a connection that was lost a moment ago.
   *
   * @throws DomainError `store-unavailable`, which `mayBeStored` when a command was sent and not answered; any other error is a defect and passes as it is.
   */
  async run<T>(commands: () => Promise<T>): Promise<T> {
    const returning = this.returning();
    if (returning !== undefined) await returning;
    try {
      return await commands();
    } catch (error) {
      if (isReply(error) && !CANNOT_WORK.test(error.message)) throw error;
      if (isProgrammingError(error)) throw error;
      const outage = this.#outage.causeOfOutage;
      if (outage === undefined && !(error instanceof ConnectionLost)) this.#log.note(error);
      if (isReply(error) && OUT_OF_MEMORY.test(error.message)) throw storeOutOfMemory(error);
      const refusal = error instanceof Unanswered && error.wasSent ? storedOrNot : storeUnavailable;
      throw refusal(outage ?? error);
    }
  }

  /** Logs the cause. @returns the domain error for it. */
  unavailable(cause: unknown): DomainError {
    this.#log.note(cause);
    return storeUnavailable(cause);
  }
}

/** Whether the store refused a key of an unexpected type; then nothing was written. */
export function isWrongType(error: unknown): boolean {
  if (!isStoreUnavailable(error)) return false;
  return isWrongTypeReply(error.cause);
}

/** The same for an error that a command of the client library throws. */
export function isWrongTypeReply(error: unknown): boolean {
  return isReply(error) && error.message.startsWith('WRONGTYPE');
}

function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

function isProgrammingError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
