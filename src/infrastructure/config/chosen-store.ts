import type { Environment } from './environment-reader.ts';
import { isPostgresUri } from './postgres-uri.ts';
import { STORE_KINDS, type StoreKind } from './store-kinds.ts';
import { allVariables, variables } from './variables.ts';

/** The store that a process uses, and why, for its log. */
export interface ChosenStore {
  readonly kind: StoreKind;
  readonly reason: string;
}

/** What the choice depends on besides the variables. */
export interface Surroundings {
  /** Whether the folder of an embedded store exists. */
  hasFolder(path: string): boolean;

  /** Whether a Redis answers on this machine, even if only with an error. */
  hasRedis(): Promise<boolean>;
}

/** Why a Redis is waited for although none is configured. */
export const IN_PRODUCTION = 'nothing configured, NODE_ENV=production';

const DEFAULT_STORE_PATH = variables.STORE_PATH.default;

/** The variables that only the Redis store has. */
const OF_REDIS = allVariables
  .filter(({ stores }) => stores?.length === 1 && stores[0] === 'redis')
  .map(({ name }) => name);

/**
 * Chooses the store by the first rule that applies (platform contract, section 15). A choice that was made by creating
 * the folder stays, so that a Redis that appears later changes nothing.
 *
 * @returns undefined when STORE names none of the stores, which is an error of the configuration.
 */
export async function chosenStore(
  environment: Environment,
  surroundings: Surroundings,
): Promise<ChosenStore | undefined> {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  if (isSet('STORE')) {
    const kind = STORE_KINDS.find((each) => each === environment['STORE']);
    return kind && { kind, reason: 'STORE is set' };
  }
  const uri = environment['STORE_URI'] ?? '';
  if (uri !== '') {
    return { kind: isPostgresUri(uri) ? 'postgres' : 'redis', reason: 'STORE_URI is set' };
  }
  const ofRedis = OF_REDIS.find(isSet);
  if (ofRedis !== undefined) return { kind: 'redis', reason: `${ofRedis} is set` };
  if (isSet('STORE_PATH')) return { kind: 'embedded', reason: 'STORE_PATH is set' };
  if (surroundings.hasFolder(DEFAULT_STORE_PATH)) {
    return { kind: 'embedded', reason: `nothing configured, ${DEFAULT_STORE_PATH} exists` };
  }
  if (await surroundings.hasRedis()) {
    return { kind: 'redis', reason: 'nothing configured, a Redis answers at localhost:6379' };
  }
  if (environment['NODE_ENV'] === 'production') {
    return { kind: 'redis', reason: IN_PRODUCTION };
  }
  return { kind: 'embedded', reason: 'nothing configured, no Redis at localhost:6379' };
}
