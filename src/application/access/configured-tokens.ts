import type { Caller } from '../../domain/access/caller.ts';

/** A token that the operator configured. */
export interface ConfiguredToken {
  readonly caller: Caller;
  /** From which networks it works, in CIDR notation; null for all. */
  readonly addresses: readonly string[] | null;
  readonly source: 'file' | 'environment';
}

/** The tokens that the operator configured, in the environment and in a file. */
export interface ConfiguredTokens {
  readonly all: readonly ConfiguredToken[];
  readonly isEmpty: boolean;

  /**
   * Returns the holder of the token with that digest; undefined for an unknown token, for one that has expired, and for
   * one that does not work from that address.
   *
   * @param digest SHA-256 of the token, in hex of lower case.
   */
  find(digest: string, address: string): Caller | undefined;

  /**
   * Calls back within seconds once the token of that id was left out or changed, or has expired; absent where tokens
   * never change.
   *
   * @returns a function that ends this; undefined for the id of another source.
   */
  watch?(id: string, ended: () => void): (() => void) | undefined;
}
