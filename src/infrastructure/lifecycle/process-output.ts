import { format } from 'node:util';
import type { LoggerPort } from '../../application/ports/logger-port.ts';

/** What libraries write to the console, and its severity. */
const CONSOLE_LEVELS = {
  error: 'error',
  warn: 'warn',
  info: 'info',
  log: 'info',
  debug: 'debug',
  trace: 'debug',
} as const;

/**
 * Writes all output of this process as lines of its log: warnings of Node.js and console output of libraries. A log
 * without a reader, or that cannot be written, must not end jobs: the service continues without it.
 */
export function logAllOutput(logger: LoggerPort): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  for (const [method, level] of Object.entries(CONSOLE_LEVELS)) {
    console[method as keyof typeof CONSOLE_LEVELS] = (...values: unknown[]) => {
      logger[level]('A library wrote to the console', { text: format(...values) });
    };
  }
  // The existing listener writes to standard error.
  process.removeAllListeners('warning').on('warning', (warning) => {
    logger.warn('Node.js warning', { warning: warning.name, error: warning });
  });
}
