import type {
  HostAndPort,
  RedisTopology,
} from '../../adapters/outbound/redis/connection/redis-settings.ts';
import type { RedisStoreConfig, StoreConfig } from './config.ts';
import { parseHostList } from './host-list.ts';
import { loadStoreTls, type ReadFile } from './store-tls.ts';
import { parseStoreUri, STORE_URI_FORM, type StoreUri } from './store-uri.ts';
import type { Variables } from './variables.ts';

/** Where the store is can be said in one of these ways; the rest of them must stay unset. */
const WAYS = [
  ['STORE_URI'],
  ['STORE_CLUSTER_NODES'],
  ['STORE_SENTINELS', 'STORE_SENTINEL_MASTER'],
  ['STORE_HOST', 'STORE_PORT'],
] as const;

const CREDENTIALS = ['STORE_USERNAME', 'STORE_PASSWORD'] as const;

export function loadStore(variables: Variables, readFile: ReadFile): StoreConfig {
  if (variables.oneOf('STORE', ['redis', 'memory']) === 'memory') return { kind: 'memory' };
  rejectContradictions(variables);
  const uri = loadUri(variables);
  const username = uri === undefined ? variables.text('STORE_USERNAME') : uri.username;
  const password = uri === undefined ? variables.text('STORE_PASSWORD') : uri.password;
  const tls = loadStoreTls(variables, readFile, uri?.tls ?? false);
  return {
    kind: 'redis',
    topology: loadTopology(variables, uri),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  } satisfies RedisStoreConfig;
}

function rejectContradictions(variables: Variables): void {
  const isSet = (name: string): boolean => variables.isSet(name);
  const chosen = WAYS.find((names) => names.some(isSet));
  const others = WAYS.filter((names) => names !== chosen).flat();
  const excluded = chosen?.[0] === 'STORE_URI' ? [...others, ...CREDENTIALS] : others;
  for (const name of excluded.filter(isSet)) {
    variables.reject(name, `not be given together with ${chosen?.[0] ?? ''}`);
  }
  if (isSet('STORE_USERNAME') && !isSet('STORE_PASSWORD')) {
    variables.reject('STORE_PASSWORD', 'be given together with STORE_USERNAME');
  }
}

function loadUri(variables: Variables): StoreUri | undefined {
  const text = variables.text('STORE_URI');
  const uri = text === undefined ? undefined : parseStoreUri(text);
  if (text !== undefined && uri === undefined) variables.reject('STORE_URI', STORE_URI_FORM);
  return uri;
}

function loadTopology(variables: Variables, uri: StoreUri | undefined): RedisTopology {
  if (variables.isSet('STORE_CLUSTER_NODES')) {
    return { kind: 'cluster', nodes: loadHosts(variables, 'STORE_CLUSTER_NODES') };
  }
  if (variables.isSet('STORE_SENTINELS') || variables.isSet('STORE_SENTINEL_MASTER')) {
    return loadSentinel(variables);
  }
  const host = uri?.host ?? loadHost(variables);
  const port = uri?.port ?? variables.integer('STORE_PORT', 6379, 1, 65_535);
  return { kind: 'single', host, port, ...(uri?.db === undefined ? {} : { db: uri.db }) };
}

function loadSentinel(variables: Variables): RedisTopology {
  const master = variables.text('STORE_SENTINEL_MASTER');
  if (master === undefined) {
    variables.reject('STORE_SENTINEL_MASTER', 'be given together with STORE_SENTINELS');
  }
  if (!variables.isSet('STORE_SENTINELS')) {
    variables.reject('STORE_SENTINELS', 'be given together with STORE_SENTINEL_MASTER');
  }
  const sentinels = loadHosts(variables, 'STORE_SENTINELS');
  return { kind: 'sentinel', sentinels, master: master ?? '' };
}

function loadHost(variables: Variables): string {
  return variables.matching('STORE_HOST', 'localhost', /^[^\s/@]+$/, 'be a host name or address');
}

function loadHosts(variables: Variables, name: string): readonly HostAndPort[] {
  const text = variables.text(name);
  if (text === undefined) return [];
  const hosts = parseHostList(text);
  if (hosts === undefined) {
    variables.reject(name, 'be a list such as host:6379,[::1]:6380, every entry with its port');
  }
  return hosts ?? [];
}
