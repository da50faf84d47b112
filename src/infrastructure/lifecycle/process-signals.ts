import type { LoggerPort } from '../../application/ports/logger-port.ts';

export interface ProcessEnd {
  /**
   * Ends the service in order, even while it is starting, after the signal that asks for it. @returns false when some
   * work had to be abandoned.
   */
  stop(signal: NodeJS.Signals): Promise<boolean>;
  /** Maximum duration of the shutdown, in milliseconds; then the process exits anyway. */
  readonly timeout: number;
  /** Ends at once everything that would outlive this process. */
  readonly kill?: () => void;
  /**
   * True for a process of a group. When a terminal or a service manager signals all processes, it gets the signal again
   * from its supervisor, which must not count as a second one; second signals are handled by the supervisor.
   */
  readonly supervised: boolean;
}

/**
 * Two signals within this time (ms) count as one: a terminal sends Ctrl-C to both npm and the service, and npm passes
 * it on to the service as well.
 */
const SAME_SIGNAL = 100;

/** SIGTERM and SIGINT as a request to end the process. */
export class ProcessSignals {
  /** While nothing is running there is nothing to stop. */
  #receive: (signal: NodeJS.Signals) => void = () => process.exit(0);

  /** Listens from now on. A signal that arrived earlier ends the process as a failure. */
  constructor() {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => this.#receive(signal));
    }
  }

  /**
   * Connects the parts that are starting to the signals: the first signal stops them in order, a second one ends the
   * process at once. An unhandled error is logged and also stops them in order, with exit code 1.
   */
  govern(end: ProcessEnd, logger: LoggerPort): void {
    let stopping = false;
    let failed = false;
    let receivedAt = -Infinity;
    const stop = async (signal: NodeJS.Signals): Promise<void> => {
      stopping = true;
      setTimeout(() => {
        logger.error('Shutdown took too long: the process exits now');
        end.kill?.();
        process.exit(1);
      }, end.timeout).unref();
      const clean = await end.stop(signal);
      logger.info('Stopped');
      process.exit(clean && !failed ? 0 : 1);
    };
    this.#receive = (signal) => {
      const now = performance.now();
      if (now - receivedAt < SAME_SIGNAL) return;
      receivedAt = now;
      if (!stopping) {
        logger.info('Stopping', { signal });
        void stop(signal);
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
        if (!stopping) void stop('SIGTERM');
      });
    }
  }
}
