import type { Admission } from '../../src/domain/values/admission-in-words.ts';

/** Sign-ins as commands try them, without a service or an issuer. */
export interface SignIns {
  /** @param file the content of SIGN_IN_FILE. @throws UsageError when it is not as it must be. */
  check(claims: Readonly<Record<string, unknown>>, file: string): Promise<Admission>;
}
