import type { TlsCertificates } from '../../adapters/outbound/redis/connection/redis-settings.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import { variables } from './variables.ts';

const { STORE_TLS, STORE_TLS_CA, STORE_TLS_CERT, STORE_TLS_KEY } = variables;

/**
 * Connections are encrypted when STORE_TLS or the URI says so, or when any of the files is set. A STORE_TLS that
 * contradicts the others is an error.
 */
export function loadStoreTls(
  reader: EnvironmentReader,
  askedByUri: boolean,
): TlsCertificates | undefined {
  const hasFiles = [STORE_TLS_CA, STORE_TLS_CERT, STORE_TLS_KEY].some((each) => reader.isSet(each));
  const wanted = reader.given(STORE_TLS);
  if (wanted === false && (askedByUri || hasFiles)) {
    reader.reject(STORE_TLS, 'not be false next to a rediss:// URI or certificate files');
  }
  reader.requireWith(STORE_TLS_CERT, STORE_TLS_KEY);
  reader.requireWith(STORE_TLS_KEY, STORE_TLS_CERT);
  const certificates = readCertificates(reader);
  return (wanted ?? (askedByUri || hasFiles)) ? certificates : undefined;
}

function readCertificates(reader: EnvironmentReader): TlsCertificates {
  const ca = reader.given(STORE_TLS_CA);
  const cert = reader.given(STORE_TLS_CERT);
  const key = reader.given(STORE_TLS_KEY);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}
