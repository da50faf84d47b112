import { hash } from 'node:crypto';
import type { ConfiguredTokens } from '../../../application/access/configured-tokens.ts';
import type { IssuedTokens } from '../../../application/access/issued-tokens.ts';
import type { WorkloadTokens } from '../../../application/access/workload-tokens.ts';
import type { Caller } from '../../../domain/access/caller.ts';
import { isAccessToken } from '../../shared/access-token-text.ts';

/** Three parts in base64url, of which the first is a JSON object. */
const JSON_WEB_TOKEN = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

export interface TokenSources {
  readonly configured: Pick<ConfiguredTokens, 'find'>;
  readonly issued: Pick<IssuedTokens, 'knows' | 'callerOf' | 'noteUse'>;
  /** Undefined when no issuers are configured. */
  readonly workloads: Pick<WorkloadTokens, 'callerOf'> | undefined;
}

/** Finds the holders of tokens of any source but sessions. */
export class TokenHolders {
  readonly #sources: TokenSources;
  /**
   * Each connection mostly brings the same token, which is then digested once. Tokens are compared within one connection
   * only; compared with those of other clients, they could be guessed by timing.
   */
  readonly #latest = new WeakMap<object, { readonly token: string; readonly digest: string }>();

  constructor(sources: TokenSources) {
    this.#sources = sources;
  }

  /**
   * The holder of a token, synchronously when this replica knows it; undefined for an unknown token. Tokens are looked up
   * by their digests, which no client can choose, so the time that a refusal takes reveals nothing about any of them.
   *
   * @param address the address that the call comes from.
   * @param connection the connection of the request, whose token is digested once.
   * @throws DomainError `store-unavailable` for a token of the API that this replica does not know.
   */
  of(
    token: string,
    address: string,
    connection: object,
  ): Caller | undefined | Promise<Caller | undefined> {
    const { configured, issued, workloads } = this.#sources;
    const digest = this.#digestOf(token, connection);
    const caller = configured.find(digest, address);
    if (caller !== undefined) {
      issued.noteUse(caller.id, address);
      return caller;
    }
    // The checksum of a known token is right.
    if (issued.knows(digest) || isAccessToken(token)) return issued.callerOf(digest, address);
    return JSON_WEB_TOKEN.test(token) ? workloads?.callerOf(token, digest) : undefined;
  }

  #digestOf(token: string, connection: object): string {
    const latest = this.#latest.get(connection);
    if (latest?.token === token) return latest.digest;
    const digest = digestOf(token);
    this.#latest.set(connection, { token, digest });
    return digest;
  }
}

/** SHA-256 in hex of lower case. Header bytes arrive as latin1 characters: this restores what the client sent. */
export function digestOf(token: string): string {
  return hash('sha256', Buffer.from(token, 'latin1'), 'hex');
}
