import type { LoggerPort } from '../../application/ports/logger-port.ts';

export interface ProcessEnd {
  /** Ends the service in order, also while it starts. @returns false when some work had to be given up. */
  stop(): Promise<boolean>;
  /** Longest time that may take, in milliseconds; then the process ends anyway. */
  readonly timeout: number;
  /** Ends at once what would outlive this process. */
  readonly kill?: () => void;
  /**
   * True for a process of a group. It gets a signal again from its supervisor when a terminal or a service
   * manager has sent it to all, so that none is taken for a second one; those are the supervisor's affair.
   */
  readonly supervised: boolean;
}

/**
 * Two signals within this time are one: a terminal sends Ctrl-C to npm and to the service, and npm passes it on to the
 * service as well. Milliseconds.
 */
const SAME_SIGNAL = 100;

/** SIGTERM and SIGINT as a request to end the process. */
export class ProcessSignals {
  /** While nothing runs there is nothing to stop. */
  #receive: (signal: NodeJS.Signals) => void = () => process.exit(0);

  /** Listens from now on. A signal that comes before ends the process as one that failed. */
  constructor() {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => this.#receive(signal));
    }
  }

  /**
   * Ties what starts now to the signals: one stops it in order, a second one ends it at once. An
   * unhandled error is logged and stops it in order too, with exit code 1.
   */
  govern(end: ProcessEnd, logger: LoggerPort): void {
    let stopping = false;
    let failed = false;
    let receivedAt = -Infinity;
    const stop = async (): Promise<void> => {
      stopping = true;
      setTimeout(() => {
        logger.error('Shutdown took too long: the process exits now');
        end.kill?.();
        process.exit(1);
      }, end.timeout).unref();
      const clean = await end.stop();
      logger.info('Stopped');
      process.exit(clean && !failed ? 0 : 1);
    };
    this.#receive = (signal) => {
      const now = performance.now();
      if (now - receivedAt < SAME_SIGNAL) return;
      receivedAt = now;
      if (!stopping) {
        logger.info('Stopping', { signal });
        void stop();
      } else if (!end.supervised) {
        logger.warn('Second signal received: the process exits now', { signal });
        end.kill?.();
        process.exit(1);
      }
    };
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => {
        logger.error('Unhandled error: the process shuts down', { error });
        failed = true;
        if (!stopping) void stop();
      });
    }
  }
}
