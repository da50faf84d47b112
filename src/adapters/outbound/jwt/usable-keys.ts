import { compactVerify, createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';

type KeySet = Parameters<typeof createLocalJWKSet>[0];

/** Signature algorithms with a key that only the issuer has. */
export const SIGNATURE_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

/** The keys of a JWK Set (RFC 7517) that can verify a signature; the others are left out, and do not harm these. */
export async function usableKeys(set: Readonly<Record<string, unknown>>): Promise<JWTVerifyGetKey> {
  const { keys } = set;
  if (!Array.isArray(keys)) throw new Error('The document of the keys has no list "keys"');
  const usable = await Promise.all(keys.map(isUsable));
  return keySet(keys.filter((_, index) => usable[index]));
}

/** An import alone would accept keys that verifying refuses, such as an RSA key that is too short. */
async function isUsable(key: unknown): Promise<boolean> {
  const tried = await Promise.all(SIGNATURE_ALGORITHMS.map((alg) => refusesForgery(key, alg)));
  return tried.includes(true);
}

async function refusesForgery(key: unknown, alg: string): Promise<boolean> {
  const header = Buffer.from(JSON.stringify({ alg })).toString('base64url');
  try {
    await compactVerify(`${header}.e30.AA`, keySet([key]));
    return false;
  } catch (error) {
    return error instanceof errors.JWSSignatureVerificationFailed;
  }
}

/** The library checks what the keys are. */
function keySet(keys: readonly unknown[]): JWTVerifyGetKey {
  return createLocalJWKSet({ keys } as KeySet);
}
