import type { TlsCertificates } from '../../adapters/outbound/redis/connection/redis-settings.ts';
import type { Variables } from './variables.ts';

/** Returns the text of a file, or throws. */
export type ReadFile = (path: string) => string;

const FILES = { ca: 'STORE_TLS_CA', cert: 'STORE_TLS_CERT', key: 'STORE_TLS_KEY' } as const;

/**
 * Connections are encrypted when STORE_TLS or the URI says so, or when any of the files is given.
 * A STORE_TLS that says the contrary of the others is a mistake.
 */
export function loadStoreTls(
  variables: Variables,
  readFile: ReadFile,
  askedByUri: boolean,
): TlsCertificates | undefined {
  const hasFiles = Object.values(FILES).some((name) => variables.isSet(name));
  const wanted = variables.boolean('STORE_TLS');
  if (wanted === false && (askedByUri || hasFiles)) {
    variables.reject('STORE_TLS', 'not be false next to a rediss:// URI or certificate files');
  }
  requireTogether(variables, FILES.cert, FILES.key);
  requireTogether(variables, FILES.key, FILES.cert);
  const files = readFiles(variables, readFile);
  return (wanted ?? (askedByUri || hasFiles)) ? files : undefined;
}

function requireTogether(variables: Variables, given: string, missing: string): void {
  if (variables.isSet(given) && !variables.isSet(missing)) {
    variables.reject(missing, `be given together with ${given}`);
  }
}

function readFiles(variables: Variables, readFile: ReadFile): TlsCertificates {
  const contents: { -readonly [Field in keyof TlsCertificates]: string } = {};
  for (const field of ['ca', 'cert', 'key'] as const) {
    const path = variables.text(FILES[field]);
    if (path === undefined) continue;
    try {
      contents[field] = readFile(path);
    } catch {
      variables.reject(FILES[field], 'be the path of a file that can be read');
    }
  }
  return contents;
}
