import type { RedisTopology } from '../../adapters/outbound/redis/connection/redis-settings.ts';
import type { RedisStoreConfig, StoreConfig } from './config.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import { loadStoreTls } from './store-tls.ts';
import type { StoreUri } from './store-uri.ts';
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
  const uri = reader.given(storeUri);
  const { username, password } = reader.isSet(storeUri) ? { ...uri } : loadCredentials(reader);
  const tls = loadStoreTls(reader, uri?.tls ?? false);
  return {
    kind: 'redis',
    topology: loadTopology(reader, uri),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  } satisfies RedisStoreConfig;
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

function loadTopology(reader: EnvironmentReader, uri: StoreUri | undefined): RedisTopology {
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
