import type { Writable } from 'node:stream';
import { createLogger, format, type Logger, transports } from 'winston';
import type { LogFields, LoggerPort } from '../../../application/ports/logger-port.ts';
import { jsonLine, type LogLevel, prettyLine } from './log-lines.ts';

export interface WinstonLoggerOptions {
  /** Whether debug lines are written, and stacks of errors with every line for people. */
  readonly debug: boolean;
  /** JSON for machines, `pretty` for people at a terminal. */
  readonly format: 'json' | 'pretty';
  /** Whether lines for people have colours. */
  readonly colours: boolean;
  /** The process that writes: every line in JSON names it. */
  readonly instance: string;
  /** Where to write: standard output by default. */
  readonly stream?: Writable;
}

/** Logs one line for each entry, with any fields, and redacts secrets that are named as such. */
export class WinstonLogger implements LoggerPort {
  readonly writesDebug: boolean;
  readonly #logger: Logger;
  readonly #line: (level: LogLevel, message: string, fields: LogFields) => string;

  constructor({
    debug,
    format: style,
    colours,
    instance,
    stream = process.stdout,
  }: WinstonLoggerOptions) {
    this.writesDebug = debug;
    this.#line = (level, message, fields) => {
      const entry = { level, message, fields, instance };
      if (style === 'json') return jsonLine(entry);
      return prettyLine(entry, { colours, stacks: debug || level === 'error' });
    };
    this.#logger = createLogger({
      level: debug ? 'debug' : 'info',
      format: format.printf(({ message }) => String(message)),
      // winston declares its transports as interfaces, which the lint rule takes for another class.
      // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment
      transports: [new transports.Stream({ stream, eol: '\n' })],
    });
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields);
  }

  #write(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (!this.#logger.isLevelEnabled(level)) return;
    this.#logger.log({ level, message: this.#line(level, message, fields) });
  }
}
