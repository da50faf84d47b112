/** The fields of a log line: never tokens, header values or job data. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes the log of the service. */
export interface LoggerPort {
  /** Whether debug lines are written. Ask before making one that may come thousands of times a second. */
  readonly writesDebug: boolean;

  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** An `error` field may hold an Error; its stack goes to the log only. */
  error(message: string, fields?: LogFields): void;
}
