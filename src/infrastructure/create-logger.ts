import { WinstonLogger } from '../adapters/outbound/winston/winston-logger.ts';
import type { LoggerPort } from '../application/ports/logger-port.ts';
import type { Config } from './config/config.ts';

export function createLogger({ log }: Config): LoggerPort {
  return new WinstonLogger({ debug: log.level === 'debug', format: log.format });
}
