import { ConfigError } from './config-error.ts';
import type { PostgresStoreConfig } from './config.ts';
import { EnvironmentReader, type Environment } from './environment-reader.ts';
import { loadPostgres } from './store-config.ts';

/**
 * The PostgreSQL store that an environment names, whatever else is in it.
 *
 * @throws ConfigError
 */
export function loadPostgresStore(environment: Environment): PostgresStoreConfig {
  const reader = new EnvironmentReader(environment, () => '');
  const store = loadPostgres(reader);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return store;
}
