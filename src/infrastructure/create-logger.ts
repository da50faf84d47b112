import { hostname } from 'node:os';
import { WinstonLogger } from '../adapters/outbound/winston/winston-logger.ts';
import type { LoggerPort } from '../application/ports/logger-port.ts';
import type { Config } from './config/config.ts';

/** The log of this process. Its instance, `host:pid`, tells replicas and their processes apart. */
export function createLogger({ log }: Config): LoggerPort {
  return new WinstonLogger({
    debug: log.level === 'debug',
    format: log.format,
    colours: process.stdout.isTTY && !process.env['NO_COLOR'],
    instance: `${hostname()}:${process.pid}`,
  });
}
