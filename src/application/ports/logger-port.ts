/** Facts that go with a log line. Never tokens, never header values, never job data. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface LoggerPort {
  /** Whether debug lines are written: what happens thousands of times a second need not be put in words. */
  readonly writesDebug: boolean;

  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** An `error` field may hold an Error; its stack goes to the log only. */
  error(message: string, fields?: LogFields): void;
}
