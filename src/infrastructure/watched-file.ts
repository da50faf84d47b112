import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { LogFields, LoggerPort } from '../application/ports/logger-port.ts';
import type { RepeatedWork } from '../application/running/rounds.ts';
import { fileError } from './config/file-entries.ts';

/** How often (ms) the file is read. A change takes effect within five seconds. */
const READ_INTERVAL = 2000;

/** A file that a variable names. */
export interface ConfigFile<Value> {
  /** The variable. */
  readonly variable: string;
  /** The name of the file in the log. */
  readonly name: string;
  /** Its content in a word, for the log. */
  readonly holds: string;
  /** @throws ConfigError naming the field. */
  readonly parse: (content: string) => Value;
  /** What the log says of the content. */
  readonly report: (value: Value) => LogFields;
}

export interface WatchedFileOptions<Value> extends ConfigFile<Value> {
  readonly path: string;
  readonly logger: LoggerPort;
}

/**
 * A file of the configuration, read again when it changes. A file with an error prevents the start; later, the previous
 * content stays in force and the error is logged.
 */
export class WatchedFile<Value> implements RepeatedWork {
  readonly #options: WatchedFileOptions<Value>;
  #content: string;
  #value: Value;
  #reported: string | undefined;

  /** @throws ConfigError naming the field, also for a file that cannot be read. */
  constructor(options: WatchedFileOptions<Value>) {
    this.#options = options;
    this.#content = contentOf(options.path, options.variable);
    this.#value = options.parse(this.#content);
  }

  get name(): string {
    return this.#options.name;
  }

  /** What is in force: the same object until the file changes. */
  get value(): Value {
    return this.#value;
  }

  async round(): Promise<number> {
    const { path, name, parse, report, logger } = this.#options;
    try {
      const content = await readFile(path, 'utf8');
      if (content !== this.#content) {
        this.#content = content;
        this.#value = parse(content);
        this.#reported = undefined;
        logger.info(`The ${name} was read`, report(this.#value));
      }
    } catch (error) {
      this.#report(error);
    }
    return READ_INTERVAL;
  }

  /** Logs an error once, however often the file is read with it. */
  #report(error: unknown): void {
    const mistake = String(error);
    if (mistake === this.#reported) return;
    this.#reported = mistake;
    const { name, holds, logger } = this.#options;
    logger.error(`The ${name} could not be read: its ${holds} stay as they were`, { error });
  }
}

function contentOf(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw fileError(variable, `the file cannot be read (${code})`);
  }
}
