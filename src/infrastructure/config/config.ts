import type { OutboundRules } from '../../adapters/outbound/webhook/guard/address-guard.ts';
import type { EncryptionKey } from '../../adapters/outbound/encryption/aes-secret-cipher.ts';
import type { TokenIssuer } from '../../domain/access/token-issuer.ts';
import type { TokenLimits } from '../../domain/access/token-limits.ts';
import type { RetentionPolicy } from '../../domain/policies/retention-policy.ts';
import type { RedisSettings } from '../../adapters/outbound/redis/connection/redis-settings.ts';

/** All external settings, validated and complete. Times in milliseconds, sizes in bytes. */
export interface Config {
  readonly http: {
    /** 0 for any free port. */
    readonly port: number;
    readonly maxBodySize: number;
    /** Connections beyond this number are refused. */
    readonly maxConnections: number;
    /** How long requests are still served after the stop signal. */
    readonly drainTime: number;
  };
  readonly auth: {
    /** Without any tokens or digests, every request is refused. */
    readonly tokens: readonly string[];
    /** SHA-256 of further tokens, in lowercase hex. */
    readonly digests: readonly string[];
    /** The path of a file with more tokens. */
    readonly file?: string;
    /** Networks of trusted proxies, in CIDR notation. */
    readonly proxies: readonly string[];
    /** Issuers whose tokens are accepted. */
    readonly issuers: readonly TokenIssuer[];
    /** The limits of tokens that have none of their own. */
    readonly limits: TokenLimits;
  };
  /** Whether the web pages are served, and whether they may change anything. */
  readonly dashboard: 'on' | 'readonly' | 'off';
  /** Absent when programs that speak Amazon SQS are not served. */
  readonly sqs?: {
    /** Scheme and authority of the URLs of queues, without a trailing slash; those of each request when absent. */
    readonly baseUrl?: string;
  };
  readonly store: StoreConfig;
  readonly queues: {
    /** Prefix of every key in the store; `{tag}` for stores that require all keys in one slot. */
    readonly prefix: string;
    /** How many queue instances are cached at most. */
    readonly cacheSize: number;
    readonly nameLimits: { readonly min: number; readonly max: number };
    readonly maxJobsPerAdd: number;
    /** Which ended jobs may stay in queues whose policies say nothing of it; all when absent. */
    readonly defaultRetention?: RetentionPolicy;
    /** How many of its latest events a queue keeps, approximately. */
    readonly eventsKept: number;
  };
  readonly workers: {
    /** The key that holds the registered workers. */
    readonly metadataKey: string;
    /** How long an attempt is safe from the stalled check unless its lock is renewed. */
    readonly lockDuration: number;
    readonly stalledInterval: number;
    /** The keys for their secrets in the store: the first encrypts, all decrypt. */
    readonly encryptionKeys: readonly EncryptionKey[];
  };
  readonly webhook: {
    readonly client: 'undici' | 'node-fetch';
    /** For endpoints without a timeout of their own. */
    readonly defaultTimeout: number;
    readonly maxResponseSize: number;
    /** The URL at which endpoints reach this service, without a trailing slash. */
    readonly publicUrl?: string;
    readonly outbound: OutboundRules;
  };
  readonly metrics: {
    /** The port that serves metrics without a token; no such port when absent. 0 for any free port. */
    readonly port?: number;
    /** How many queues are labelled with their own name. */
    readonly queues: number;
  };
  readonly audit: {
    /** How many of the latest entries are kept. */
    readonly kept: number;
  };
  readonly sight: {
    /** How many queues are read for lists that are not sorted by name, and for figures of all queues. */
    readonly queues: number;
  };
  /** Absent when nothing is traced. */
  readonly traces?: {
    /** The URL of the OpenTelemetry collector that receives traces. */
    readonly url: string;
    /** How the spans of attempts relate to those of the adds of their jobs. */
    readonly attempts: 'link' | 'parent';
  };
  readonly log: {
    readonly level: 'debug' | 'info';
    readonly format: 'json' | 'pretty';
  };
  /** How many processes serve the port. */
  readonly processes: number;
  /** Maximum duration of the shutdown after the stop signal, including `drainTime` and running calls. */
  readonly shutdownTimeout: number;
}

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
