import type { Caller } from '../../domain/access/caller.ts';

/** A token from the configuration. */
export interface ConfiguredToken {
  readonly caller: Caller;
  readonly source: 'file' | 'environment';
}

/** The tokens from the configuration: the environment and a file. */
export interface ConfiguredTokens {
  readonly all: readonly ConfiguredToken[];
  readonly isEmpty: boolean;

  /**
   * Returns the holder of the token with this digest; undefined when the token is unknown, has expired, or does not
   * work from this address.
   *
   * @param digest SHA-256 of the token, in lowercase hex.
   */
  find(digest: string, address: string): Caller | undefined;

  /**
   * Calls back within seconds once the token with this id was removed, changed or has expired; absent when tokens never
   * change.
   *
   * @returns a function that stops watching; undefined for an id from another source.
   */
  watch?(id: string, ended: () => void): (() => void) | undefined;
}
