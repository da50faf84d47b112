import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { probes } from '../../src/adapters/inbound/http/api/paths.ts';
import { named } from '../../src/application/operation-catalogue.ts';
import { serviceOperations } from '../../src/application/operations/service-operations.ts';
import type { Config } from '../../src/infrastructure/config/config.ts';
import { loadConfig } from '../../src/infrastructure/config/load-config.ts';
import { allVariables } from '../../src/infrastructure/config/variables.ts';

/** What files that deploy the service are measured by, and ways to read them. */

const ROOT = join(import.meta.dirname, '../..');

/** The names of those variables that must not stand in the open. */
export const SECRETS = allVariables.filter(({ isSecret }) => isSecret).map(({ name }) => name);

/** The paths of its probes. */
export const PROBES = probes(named({ service: serviceOperations({} as never) }).service).map(
  ({ path }) => path,
);

/** @throws ConfigError when the service would not start with that environment. */
export function configOf(environment: Readonly<Record<string, string>>): Config {
  return loadConfig(environment, { readFile: () => '', isTerminal: false });
}

/** @param path from the root of the project, as for all functions here. */
export function text(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** @throws when a file is no YAML or has a key twice. */
export function yaml(path: string): unknown {
  return parse(text(path));
}

/** The names of what is in a folder. */
export function namesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder));
}
