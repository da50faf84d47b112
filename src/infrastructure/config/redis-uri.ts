import type { RedisSettings } from '../../adapters/outbound/redis/connection/redis-settings.ts';
import { decodedPart, parsedUrl } from '../../domain/values/parsed-url.ts';

const DEFAULT_PORT = 6379;

/** The parts of the URI of a Redis. `tls` is true when its scheme requires encryption. */
export interface RedisUri extends Pick<RedisSettings, 'username' | 'password'> {
  readonly kind: 'redis';
  readonly host: string;
  readonly port: number;
  readonly db?: number;
  readonly tls: boolean;
}

/** Reads `redis[s]://[[user]:password@]host[:port][/database]`; undefined for any other text. */
export function parseRedisUri(text: string): RedisUri | undefined {
  const uri = parsedUrl(text);
  if (uri === undefined) return undefined;
  const host = uri.hostname.replace(/^\[(.*)\]$/, '$1');
  const database = /^(?:\/(\d{0,9}))?$/.exec(uri.pathname);
  const username = decodedPart(uri.username);
  const password = decodedPart(uri.password);
  const isRedis = uri.protocol === 'redis:' || uri.protocol === 'rediss:';
  if (!isRedis || host === '' || database === null || uri.search !== '' || uri.hash !== '') {
    return undefined;
  }
  if (username === undefined || password === undefined || uri.port === '0') return undefined;
  return {
    kind: 'redis',
    host,
    port: uri.port === '' ? DEFAULT_PORT : Number(uri.port),
    tls: uri.protocol === 'rediss:',
    ...(database[1] ? { db: Number(database[1]) } : {}),
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
  };
}
