/** Everything that can be set from outside, checked and complete. Times in milliseconds, sizes in bytes. */
export interface Config {
  readonly http: {
    /** 0 for any free port. */
    readonly port: number;
    readonly maxBodySize: number;
    /** Beyond, new connections are refused. */
    readonly maxConnections: number;
    /** How long requests are still served once the service is told to stop. */
    readonly drainTime: number;
  };
  readonly auth: {
    /** Without any, every request is refused. */
    readonly tokens: readonly string[];
  };
  readonly store: StoreConfig;
  readonly queues: {
    /** Prefix of every key in the store; `{tag}` for stores that need all keys in one slot. */
    readonly prefix: string;
    /** Most queue instances that are kept at hand. */
    readonly cacheSize: number;
    readonly nameLimits: { readonly min: number; readonly max: number };
    readonly maxJobsPerAdd: number;
  };
  readonly workers: {
    /** The key that holds the registered workers. */
    readonly metadataKey: string;
    /** How long an attempt is safe from the stalled check unless its lock is renewed. */
    readonly lockDuration: number;
    readonly stalledInterval: number;
  };
  readonly webhook: {
    readonly client: 'undici' | 'node-fetch';
    /** For endpoints that set no timeout of their own. */
    readonly defaultTimeout: number;
    readonly maxResponseSize: number;
  };
  readonly log: {
    readonly level: 'debug' | 'info';
    readonly format: 'json' | 'pretty';
  };
  /** How many processes serve behind the port. */
  readonly processes: number;
  /** How long the end may take once the service is told to stop, `drainTime` and running calls included. */
  readonly shutdownTimeout: number;
}

export type StoreConfig = { readonly kind: 'memory' } | RedisConfig;

export interface RedisConfig {
  readonly kind: 'redis';
  readonly topology: RedisTopology;
  readonly username?: string;
  readonly password?: string;
  /** Present when connections are encrypted. */
  readonly tls?: TlsConfig;
}

export type RedisTopology =
  | { readonly kind: 'single'; readonly host: string; readonly port: number; readonly db?: number }
  | { readonly kind: 'cluster'; readonly nodes: readonly HostAndPort[] }
  | {
      readonly kind: 'sentinel';
      readonly sentinels: readonly HostAndPort[];
      readonly master: string;
    };

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** PEM texts. Without `ca` the certificates of the platform are trusted. */
export interface TlsConfig {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}
