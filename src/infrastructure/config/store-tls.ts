import type { TlsCertificates } from '../../adapters/outbound/redis/connection/redis-settings.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import { variables } from './variables.ts';

const { storeTls, storeTlsCa, storeTlsCert, storeTlsKey } = variables;

/**
 * Connections are encrypted when STORE_TLS or the URI says so, or when any of the files is set. A STORE_TLS that
 * contradicts the others is an error.
 */
export function loadStoreTls(
  reader: EnvironmentReader,
  askedByUri: boolean,
): TlsCertificates | undefined {
  const hasFiles = [storeTlsCa, storeTlsCert, storeTlsKey].some((each) => reader.isSet(each));
  const wanted = reader.given(storeTls);
  if (wanted === false && (askedByUri || hasFiles)) {
    reader.reject(storeTls, 'not be false next to a rediss:// URI or certificate files');
  }
  reader.requireWith(storeTlsCert, storeTlsKey);
  reader.requireWith(storeTlsKey, storeTlsCert);
  const certificates = readCertificates(reader);
  return (wanted ?? (askedByUri || hasFiles)) ? certificates : undefined;
}

function readCertificates(reader: EnvironmentReader): TlsCertificates {
  const ca = reader.given(storeTlsCa);
  const cert = reader.given(storeTlsCert);
  const key = reader.given(storeTlsKey);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}
