import { decodedPart, parsedUrl } from '../../domain/values/parsed-url.ts';

/** The URI of a PostgreSQL database, which the driver reads. */
export interface PostgresUri {
  readonly kind: 'postgres';
  readonly uri: string;
}

const SCHEME = /^postgres(?:ql)?:/;

const FORM =
  /^postgres(?:ql)?:\/\/([^\s/?#@]*@)?([\w.-]+(?::\d+)?(?:,[\w.-]+(?::\d+)?)*)((?:\/[^\s/?#]*)?(?:\?[^\s#]*)?)$/;

/** Whether a URI, which may be wrong, is meant for PostgreSQL. */
export function isPostgresUri(text: string): boolean {
  return SCHEME.test(text);
}

/**
 * Reads `postgres[ql]://[user[:password]@]host[:port][,host[:port]…][/database][?parameters]`; undefined for any other
 * text.
 */
export function parsePostgresUri(text: string): PostgresUri | undefined {
  const [, credentials = '', hosts, rest = ''] = FORM.exec(text) ?? [];
  if (hosts === undefined) return undefined;
  const areHosts = hosts.split(',').every((host) => isHost(host, credentials, rest));
  return areHosts ? { kind: 'postgres', uri: text } : undefined;
}

function isHost(host: string, credentials: string, rest: string): boolean {
  const url = parsedUrl(`postgres://${credentials}${host}${rest}`);
  if (url === undefined || url.port === '0') return false;
  return decodedPart(`${credentials}${url.pathname}`) !== undefined;
}
