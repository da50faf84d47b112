import type { LoggerPort } from '../../src/application/ports/logger-port.ts';

export const silentLogger: LoggerPort = {
  writesDebug: false,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
