/** All errors in the environment together. The message contains no values that may be secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** @param problems one sentence each, beginning with the name of the variable. */
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
}
