import type { LoggerPort } from '../../application/ports/logger-port.ts';

export interface ProcessEnd {
  /** Ends the service in order. @returns false when some work had to be given up. */
  stop(): Promise<boolean>;
  /** Longest time that may take, in milliseconds; then the process ends anyway. */
  readonly timeout: number;
}

/**
 * Ties the service to the signals of its process. SIGTERM and SIGINT stop it in order, a second one ends
 * it at once; an error that nobody handled is logged and stops it in order too, with exit code 1.
 */
export function stopOnSignals(end: ProcessEnd, logger: LoggerPort): void {
  let stopping = false;
  const stop = async (code: number): Promise<void> => {
    stopping = true;
    setTimeout(() => {
      logger.error('The shutdown took too long, the process ends now');
      process.exit(1);
    }, end.timeout).unref();
    const clean = await end.stop();
    logger.info('Stopped');
    process.exit(clean ? code : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) {
        logger.warn('A second signal came, the process ends now', { signal });
        process.exit(1);
      }
      logger.info('Stopping', { signal });
      void stop(0);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.error('An error was not handled, the process stops', { error });
      if (!stopping) void stop(1);
    });
  }
}
