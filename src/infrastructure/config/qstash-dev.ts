import { chosenStore } from './chosen-store.ts';
import type { Environment } from './environment-reader.ts';

/** What clients of QStash expect of a local server, where QSTASH_DEV=1 is set; everybody knows it. */
const DEV = {
  AUTH_TOKENS: 'eyJVc2VySUQiOiJkZWZhdWx0VXNlciIsIlBhc3N3b3JkIjoiZGVmYXVsdFBhc3N3b3JkIn0=',
  QSTASH_CURRENT_SIGNING_KEY: 'sig_7kYjw48mhY7kAjqNGcy6cr29RJ6r',
  QSTASH_NEXT_SIGNING_KEY: 'sig_5ZB6DVzB1wjE8S6rZ7eenA8Pdnhs',
};

const DEV_PORT = '8080';

/**
 * The environment of a service for programs that are tried with QSTASH_DEV=1: one process, with the token and the keys
 * that their clients expect, in memory unless a store is named.
 */
export async function qstashDevEnvironment(given: Environment): Promise<Environment> {
  const nothing = { hasFolder: () => false, hasRedis: () => Promise.resolve(false) };
  const chosen = await chosenStore({ ...given, NODE_ENV: 'development' }, nothing);
  const isNamed = chosen === undefined || !chosen.reason.startsWith('nothing configured');
  return {
    ...given,
    ...DEV,
    ...(!isNamed && { STORE: 'memory' }),
    QSTASH: 'on',
    PORT: given['QSTASH_DEV_PORT'] || DEV_PORT,
    METRICS_PORT: '',
    WEB_CONCURRENCY: '1',
  };
}
