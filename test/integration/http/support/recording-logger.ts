import { EventEmitter, once } from 'node:events';
import type { LogFields, LoggerPort } from '../../../../src/application/ports/logger-port.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** Keeps the logged lines, and lets a test wait for one. */
export class RecordingLogger implements LoggerPort {
  readonly writesDebug = true;
  readonly lines: LogLine[] = [];
  readonly #emitter = new EventEmitter();

  debug(message: string, fields: LogFields = {}): void {
    this.#add({ level: 'debug', message, fields });
  }

  info(message: string, fields: LogFields = {}): void {
    this.#add({ level: 'info', message, fields });
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#add({ level: 'warn', message, fields });
  }

  error(message: string, fields: LogFields = {}): void {
    this.#add({ level: 'error', message, fields });
  }

  /** The first matching line, past or future. */
  async line(wanted: (line: LogLine) => boolean): Promise<LogLine> {
    for (;;) {
      const found = this.lines.find(wanted);
      if (found !== undefined) return found;
      await once(this.#emitter, 'line');
    }
  }

  #add(line: LogLine): void {
    this.lines.push(line);
    this.#emitter.emit('line');
  }
}
