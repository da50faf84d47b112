/** All the mistakes in the environment together. Values that may be secrets are not repeated. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** @param problems one sentence each, beginning with the name of its variable. */
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
}
