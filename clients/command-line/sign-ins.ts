/** The result of matching the claims of a person with the rules of SIGN_IN_FILE. */
export interface CheckedSignIn {
  /** The rights by the first rule that matches; null for none. */
  readonly match: {
    readonly name: string;
    readonly rights: readonly string[];
    readonly queues: readonly string[] | null;
  } | null;
  readonly claims: readonly { readonly name: string; readonly values?: readonly string[] }[];
  readonly rules: readonly {
    readonly name: string;
    readonly asked: readonly {
      readonly claim: string;
      readonly pattern: string;
      readonly isMet: boolean;
      readonly hasArrived: boolean;
    }[];
  }[];
}

/** Sign-ins as commands try them, without a service or an issuer. */
export interface SignIns {
  /** @throws UsageError for a file that cannot be read, or is not as it must be. */
  check(claimsFile: string, signInFile: string): Promise<CheckedSignIn>;
}
