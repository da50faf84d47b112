/** What the `Authorization` header of a request says of its client. */
export interface Credential {
  /** The access key id, which is a token of this service. */
  readonly token: string;
  readonly region: string;
}

/** The region of requests that name none. */
export const DEFAULT_REGION = 'us-east-1';

/** The signature of any region (`AWS4-ECDSA-P256-SHA256`) has none in its scope. */
const CREDENTIAL =
  /^AWS4-(?:HMAC-SHA256 .*?Credential=(?<token>.+)\/\d+\/(?<region>[^/]*)|ECDSA-P256-SHA256 .*?Credential=(?<any>.+)\/\d+)\/[^/]*\/aws4_request(?:[,\s]|$)/;

/**
 * The credential of a signed request; undefined for any other header. The scope is split from the right, since a token
 * may hold a slash. The signature is not looked at: who knows the token may use it.
 */
export function credentialOf(authorization: string | undefined): Credential | undefined {
  const { token, any, region } = CREDENTIAL.exec(authorization ?? '')?.groups ?? {};
  const named = token ?? any;
  return named === undefined ? undefined : { token: named, region: regionName(region) };
}

/** The region comes back in ARNs, so that only what can be one is taken. */
function regionName(region = ''): string {
  return /^[a-zA-Z0-9-]{1,64}$/.test(region) ? region : DEFAULT_REGION;
}
