import type { LoggerPort } from '../../application/ports/logger-port.ts';

export interface ProcessEnd {
  /** Ends the service in order. @returns false when some work had to be given up. */
  stop(): Promise<boolean>;
  /** Longest time that may take, in milliseconds; then the process ends anyway. */
  readonly timeout: number;
  /** Ends at once what would outlive this process. */
  readonly kill?: () => void;
  /** The signals to listen to. */
  readonly signals: readonly NodeJS.Signals[];
}

export const ALL_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ties the service to the signals of its process. SIGTERM and SIGINT stop it in order, a second one ends
 * it at once; an error that nobody handled is logged and stops it in order too, with exit code 1.
 */
export function stopOnSignals(end: ProcessEnd, logger: LoggerPort): void {
  let stopping = false;
  let failed = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    setTimeout(() => {
      logger.error('The shutdown took too long, the process ends now');
      end.kill?.();
      process.exit(1);
    }, end.timeout).unref();
    const clean = await end.stop();
    logger.info('Stopped');
    process.exit(clean && !failed ? 0 : 1);
  };
  for (const signal of end.signals) {
    process.on(signal, () => {
      if (stopping) {
        logger.warn('A second signal came, the process ends now', { signal });
        end.kill?.();
        process.exit(1);
      }
      logger.info('Stopping', { signal });
      void stop();
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.error('An error was not handled, the process stops', { error });
      failed = true;
      if (!stopping) void stop();
    });
  }
}
