import type { OutboundRules } from '../../adapters/outbound/webhook/guard/address-guard.ts';
import type { EncryptionKey } from '../../adapters/outbound/encryption/aes-secret-cipher.ts';
import type { TokenIssuer } from '../../domain/access/token-issuer.ts';
import type { TokenLimits } from '../../domain/access/token-limits.ts';
import type { RedisSettings } from '../../adapters/outbound/redis/connection/redis-settings.ts';

/** Everything that can be set from outside, checked and complete. Times in milliseconds, sizes in bytes. */
export interface Config {
  readonly http: {
    /** 0 for any free port. */
    readonly port: number;
    readonly maxBodySize: number;
    /** Beyond, new connections are refused. */
    readonly maxConnections: number;
    /** How long requests are still served after the signal to stop. */
    readonly drainTime: number;
  };
  readonly auth: {
    /** Without any, and without digests, every request is refused. */
    readonly tokens: readonly string[];
    /** SHA-256 of further tokens, in hex of lower case. */
    readonly digests: readonly string[];
    /** The path of a file with more tokens. */
    readonly file?: string;
    /** Networks of proxies that are believed, in CIDR notation. */
    readonly proxies: readonly string[];
    /** Those whose tokens are accepted. */
    readonly issuers: readonly TokenIssuer[];
    /** Of tokens that have none of their own. */
    readonly limits: TokenLimits;
  };
  /** Whether the pages for people are served, and whether they may change anything. */
  readonly dashboard: 'on' | 'readonly' | 'off';
  readonly store: StoreConfig;
  readonly queues: {
    /** Prefix of every key in the store; `{tag}` for stores that need all keys in one slot. */
    readonly prefix: string;
    /** Most queue instances that are kept at hand. */
    readonly cacheSize: number;
    readonly nameLimits: { readonly min: number; readonly max: number };
    readonly maxJobsPerAdd: number;
    /** How many of its latest events a queue keeps, and a few more. */
    readonly eventsKept: number;
  };
  readonly workers: {
    /** The key that holds the registered workers. */
    readonly metadataKey: string;
    /** How long an attempt is safe from the stalled check unless its lock is renewed. */
    readonly lockDuration: number;
    readonly stalledInterval: number;
    /** Of their secrets in the store: the first encrypts, all decrypt. */
    readonly encryptionKeys: readonly EncryptionKey[];
  };
  readonly webhook: {
    readonly client: 'undici' | 'node-fetch';
    /** For endpoints that set no timeout of their own. */
    readonly defaultTimeout: number;
    readonly maxResponseSize: number;
    /** Where endpoints reach this service, without a slash at its end. */
    readonly publicUrl?: string;
    readonly outbound: OutboundRules;
  };
  readonly metrics: {
    /** Where they are read without a token; nowhere when absent. 0 for any free port. */
    readonly port?: number;
    /** How many queues have a name of their own. */
    readonly queues: number;
  };
  readonly audit: {
    /** How many entries are kept, the latest. */
    readonly kept: number;
  };
  readonly sight: {
    /** How many queues are looked at for lists in another order than by name, and for figures of all. */
    readonly queues: number;
  };
  /** Absent when nothing is traced. */
  readonly traces?: {
    /** The URL of the collector of OpenTelemetry that takes traces. */
    readonly url: string;
    /** How attempts stand to the adds of their jobs. */
    readonly attempts: 'link' | 'parent';
  };
  readonly log: {
    readonly level: 'debug' | 'info';
    readonly format: 'json' | 'pretty';
  };
  /** How many processes serve behind the port. */
  readonly processes: number;
  /** How long shutting down may take after the signal to stop, `drainTime` and running calls included. */
  readonly shutdownTimeout: number;
}

export type StoreConfig = { readonly kind: 'memory' } | RedisStoreConfig;

export interface RedisStoreConfig extends RedisSettings {
  readonly kind: 'redis';
}
