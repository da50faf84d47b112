import { digestOf } from './token-holders.ts';

/**
 * The digests of tokens, of which each connection mostly brings the same: it is then digested once. Tokens are compared
 * within one connection only; compared with those of other clients, they could be guessed by timing.
 */
export class LatestDigests {
  readonly #latest = new WeakMap<object, { readonly token: string; readonly digest: string }>();

  of(token: string, connection: object): string {
    const latest = this.#latest.get(connection);
    if (latest?.token === token) return latest.digest;
    const digest = digestOf(token);
    this.#latest.set(connection, { token, digest });
    return digest;
  }
}
