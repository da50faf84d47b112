import { hash } from 'node:crypto';
import type { ConfiguredTokens } from '../../application/access/configured-tokens.ts';
import type { IssuedTokens } from '../../application/access/issued-tokens.ts';
import type { WorkloadTokens } from '../../application/access/workload-tokens.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { isAccessToken } from './access-token-text.ts';

/** Three parts in base64url, of which the first is a JSON object. */
const JSON_WEB_TOKEN = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

export interface TokenSources {
  readonly configured: Pick<ConfiguredTokens, 'find'>;
  readonly issued: Pick<IssuedTokens, 'knows' | 'callerOf' | 'noteUse'>;
  /** Undefined when no issuers are configured. */
  readonly workloads: Pick<WorkloadTokens, 'callerOf'> | undefined;
}

/**
 * The holder of a token of any source but sessions, synchronously when this replica knows it; undefined for an unknown
 * token. Tokens are looked up by their digests, which no client can choose, so the time that a refusal takes reveals
 * nothing about any of them.
 *
 * @param address the address that the call comes from.
 * @throws DomainError `store-unavailable` for a token of the API that this replica does not know.
 */
export function holderOf(
  token: string,
  digest: string,
  address: string,
  { configured, issued, workloads }: TokenSources,
): Caller | undefined | Promise<Caller | undefined> {
  const caller = configured.find(digest, address);
  if (caller !== undefined) {
    issued.noteUse(caller.id, address);
    return caller;
  }
  // The checksum of a known token is right.
  if (issued.knows(digest) || isAccessToken(token)) return issued.callerOf(digest, address);
  return JSON_WEB_TOKEN.test(token) ? workloads?.callerOf(token, digest) : undefined;
}

/** SHA-256 in hex of lower case. Header bytes arrive as latin1 characters: this restores what the client sent. */
export function digestOf(token: string): string {
  return hash('sha256', Buffer.from(token, 'latin1'), 'hex');
}
