import type { LoggerPort } from '../../application/ports/logger-port.ts';

/** How long (ms) callers have to receive that nothing is stored any more, before the process ends. */
const LAST_WORDS = 500;

/** How a store that failed for good ends the process: with an error in the log, and code 1. */
export function endProcess(logger: LoggerPort, message: string): (error: Error) => void {
  return (error) => {
    logger.error(message, { error });
    setTimeout(() => process.exit(1), LAST_WORDS);
  };
}
