/** The fields of a log line: never tokens, header values or job data. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes the log of the service. */
export interface LoggerPort {
  /** Whether debug lines are written. Check this before building a line that may occur thousands of times a second. */
  readonly writesDebug: boolean;

  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** An `error` field may contain an Error; its stack is written only to the log. */
  error(message: string, fields?: LogFields): void;
}
