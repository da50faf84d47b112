/** All the mistakes in the environment together. Values are not repeated: they may be secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** @param problems one sentence each, beginning with the name of its variable. */
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
}
