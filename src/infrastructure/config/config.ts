import type { RedisSettings } from '../../adapters/outbound/redis/connection/redis-settings.ts';
import type { loadConfig } from './load-config.ts';

/** All external settings: what the loader makes of the variables. */
export type Config = ReturnType<typeof loadConfig>;

export type StoreConfig =
  { readonly kind: 'memory' } | EmbeddedStoreConfig | PostgresStoreConfig | RedisStoreConfig;

export interface EmbeddedStoreConfig {
  readonly kind: 'embedded';
  /** The folder that keeps it. */
  readonly path: string;
}

export interface PostgresStoreConfig {
  readonly kind: 'postgres';
  readonly uri: string;
  /** The URI for LISTEN, which no pooler may share. */
  readonly directUri: string;
  readonly schema: string;
  /** How many connections a process uses at most, besides that for LISTEN. */
  readonly pool: number;
}

export interface RedisStoreConfig extends RedisSettings {
  readonly kind: 'redis';
}
