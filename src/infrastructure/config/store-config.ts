import type { RedisTopology } from '../../adapters/outbound/redis/connection/redis-settings.ts';
import type { PostgresStoreConfig, RedisStoreConfig, StoreConfig } from './config.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import type { RedisUri } from './redis-uri.ts';
import { loadStoreTls } from './store-tls.ts';
import { variables, type Variable } from './variables.ts';

const {
  storeUri,
  storeClusterNodes,
  storeSentinels,
  storeSentinelMaster,
  storeHost,
  storePort,
  storeUsername,
  storePassword,
} = variables;

/** The alternative ways to set the address of the store; only one of them may be used. */
const ADDRESS_FORMS: readonly (readonly Variable[])[] = [
  [storeUri],
  [storeClusterNodes],
  [storeSentinels, storeSentinelMaster],
  [storeHost, storePort],
];

const CREDENTIALS: readonly Variable[] = [storeUsername, storePassword];

export function loadStore(reader: EnvironmentReader): StoreConfig {
  const kind = reader.value(variables.store);
  if (kind === 'memory') return { kind };
  if (kind === 'embedded') return { kind, path: reader.value(variables.storePath) };
  rejectContradictions(reader);
  return kind === 'postgres' ? loadPostgres(reader) : loadRedis(reader);
}

/** STORE=postgres, by its variables. */
export function loadPostgres(reader: EnvironmentReader): PostgresStoreConfig {
  if (!reader.isSet(storeUri)) reader.reject(storeUri, 'be given with STORE=postgres');
  const given = reader.given(storeUri);
  if (given?.kind === 'redis')
    reader.reject(storeUri, 'begin with postgres:// with STORE=postgres');
  const uri = given?.kind === 'postgres' ? given.uri : '';
  return {
    kind: 'postgres',
    uri,
    directUri: reader.given(variables.storeDirectUri)?.uri ?? uri,
    schema: reader.value(variables.storeSchema),
    pool: reader.value(variables.storePool),
  };
}

function loadRedis(reader: EnvironmentReader): RedisStoreConfig {
  const uri = redisUri(reader);
  const { username, password } = reader.isSet(storeUri) ? { ...uri } : loadCredentials(reader);
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
  const uri = reader.given(storeUri);
  if (uri?.kind !== 'postgres') return uri;
  reader.reject(storeUri, 'begin with redis:// or rediss:// with STORE=redis');
  return undefined;
}

function rejectContradictions(reader: EnvironmentReader): void {
  const isSet = (variable: Variable): boolean => reader.isSet(variable);
  const chosen = ADDRESS_FORMS.find((way) => way.some(isSet));
  const others = ADDRESS_FORMS.filter((way) => way !== chosen).flat();
  const excluded = reader.isSet(storeUri) ? [...others, ...CREDENTIALS] : others;
  for (const variable of excluded.filter(isSet)) {
    reader.reject(variable, `not be given together with ${chosen?.[0]?.name ?? ''}`);
  }
  reader.requireWith(storeUsername, storePassword);
}

function loadCredentials(reader: EnvironmentReader) {
  return { username: reader.given(storeUsername), password: reader.given(storePassword) };
}

function loadTopology(reader: EnvironmentReader, uri: RedisUri | undefined): RedisTopology {
  if (reader.isSet(storeClusterNodes)) {
    return { kind: 'cluster', nodes: reader.given(storeClusterNodes) ?? [] };
  }
  if (reader.isSet(storeSentinels) || reader.isSet(storeSentinelMaster)) {
    return loadSentinel(reader);
  }
  const host = uri?.host ?? reader.value(storeHost);
  const port = uri?.port ?? reader.value(storePort);
  return { kind: 'single', host, port, ...(uri?.db === undefined ? {} : { db: uri.db }) };
}

function loadSentinel(reader: EnvironmentReader): RedisTopology {
  reader.requireWith(storeSentinels, storeSentinelMaster);
  reader.requireWith(storeSentinelMaster, storeSentinels);
  return {
    kind: 'sentinel',
    sentinels: reader.given(storeSentinels) ?? [],
    master: reader.given(storeSentinelMaster) ?? '',
  };
}
