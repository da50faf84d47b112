import type { RedisTopology } from '../../adapters/outbound/redis/connection/redis-settings.ts';
import type { PostgresStoreConfig, RedisStoreConfig, StoreConfig } from './config.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import type { RedisUri } from './redis-uri.ts';
import { loadStoreTls } from './store-tls.ts';
import { variables, type Variable } from './variables.ts';

const {
  STORE_URI,
  STORE_CLUSTER_NODES,
  STORE_SENTINELS,
  STORE_SENTINEL_MASTER,
  STORE_HOST,
  STORE_PORT,
  STORE_USERNAME,
  STORE_PASSWORD,
} = variables;

/** The alternative ways to set the address of the store; only one of them may be used. */
const ADDRESS_FORMS: readonly (readonly Variable[])[] = [
  [STORE_URI],
  [STORE_CLUSTER_NODES],
  [STORE_SENTINELS, STORE_SENTINEL_MASTER],
  [STORE_HOST, STORE_PORT],
];

const CREDENTIALS: readonly Variable[] = [STORE_USERNAME, STORE_PASSWORD];

export function loadStore(reader: EnvironmentReader): StoreConfig {
  const kind = reader.value(variables.STORE);
  if (kind === 'memory') return { kind };
  if (kind === 'embedded') return { kind, path: reader.value(variables.STORE_PATH) };
  rejectContradictions(reader);
  return kind === 'postgres' ? loadPostgres(reader) : loadRedis(reader);
}

/** STORE=postgres, by its variables. */
export function loadPostgres(reader: EnvironmentReader): PostgresStoreConfig {
  if (!reader.isSet(STORE_URI)) reader.reject(STORE_URI, 'be given with STORE=postgres');
  const given = reader.given(STORE_URI);
  if (given?.kind === 'redis')
    reader.reject(STORE_URI, 'begin with postgres:// with STORE=postgres');
  const uri = given?.kind === 'postgres' ? given.uri : '';
  return {
    kind: 'postgres',
    uri,
    directUri: reader.given(variables.STORE_DIRECT_URI)?.uri ?? uri,
    schema: reader.value(variables.STORE_SCHEMA),
    pool: reader.value(variables.STORE_POOL),
  };
}

function loadRedis(reader: EnvironmentReader): RedisStoreConfig {
  const uri = redisUri(reader);
  const { username, password } = reader.isSet(STORE_URI) ? { ...uri } : loadCredentials(reader);
  const tls = loadStoreTls(reader, uri?.tls ?? false);
  return {
    kind: 'redis',
    topology: loadTopology(reader, uri),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  };
}

function redisUri(reader: EnvironmentReader): RedisUri | undefined {
  const uri = reader.given(STORE_URI);
  if (uri?.kind !== 'postgres') return uri;
  reader.reject(STORE_URI, 'begin with redis:// or rediss:// with STORE=redis');
  return undefined;
}

function rejectContradictions(reader: EnvironmentReader): void {
  const isSet = (variable: Variable): boolean => reader.isSet(variable);
  const chosen = ADDRESS_FORMS.find((way) => way.some(isSet));
  const others = ADDRESS_FORMS.filter((way) => way !== chosen).flat();
  const excluded = reader.isSet(STORE_URI) ? [...others, ...CREDENTIALS] : others;
  for (const variable of excluded.filter(isSet)) {
    reader.reject(variable, `not be given together with ${chosen?.[0]?.name ?? ''}`);
  }
  reader.requireWith(STORE_USERNAME, STORE_PASSWORD);
}

function loadCredentials(reader: EnvironmentReader) {
  return { username: reader.given(STORE_USERNAME), password: reader.given(STORE_PASSWORD) };
}

function loadTopology(reader: EnvironmentReader, uri: RedisUri | undefined): RedisTopology {
  if (reader.isSet(STORE_CLUSTER_NODES)) {
    return { kind: 'cluster', nodes: reader.given(STORE_CLUSTER_NODES) ?? [] };
  }
  if (reader.isSet(STORE_SENTINELS) || reader.isSet(STORE_SENTINEL_MASTER)) {
    return loadSentinel(reader);
  }
  const host = uri?.host ?? reader.value(STORE_HOST);
  const port = uri?.port ?? reader.value(STORE_PORT);
  return { kind: 'single', host, port, ...(uri?.db === undefined ? {} : { db: uri.db }) };
}

function loadSentinel(reader: EnvironmentReader): RedisTopology {
  reader.requireWith(STORE_SENTINELS, STORE_SENTINEL_MASTER);
  reader.requireWith(STORE_SENTINEL_MASTER, STORE_SENTINELS);
  return {
    kind: 'sentinel',
    sentinels: reader.given(STORE_SENTINELS) ?? [],
    master: reader.given(STORE_SENTINEL_MASTER) ?? '',
  };
}
