import { WinstonLogger } from '../adapters/outbound/winston/winston-logger.ts';
import type { LoggerPort } from '../application/ports/logger-port.ts';
import type { Config } from './config/config.ts';
import { instanceName } from './instance-name.ts';

/** The log of this process. */
export function createLogger({ log }: Config): LoggerPort {
  return new WinstonLogger({
    debug: log.level === 'debug',
    format: log.format,
    colours: process.stdout.isTTY && !process.env['NO_COLOR'],
    instance: instanceName(),
  });
}
