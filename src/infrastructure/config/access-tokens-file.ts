import { Caller } from '../../domain/access/caller.ts';
import { checkRights, configuredAccessFields } from '../../domain/access/access-token.ts';
import { object, required, text, type Shaped } from '../../domain/values/shape.ts';
import { checkNetworks } from '../../application/access/check-networks.ts';
import type { NetworkPort } from '../../application/ports/network-port.ts';
import type { ConfiguredToken } from '../../application/access/configured-tokens.ts';
import { checkExactShape } from '../../domain/values/check-shape.ts';
import { checkRule } from './check-rule.ts';
import { readEntries } from './file-entries.ts';

/** The variable that names the file. */
export const ACCESS_TOKENS_FILE = 'ACCESS_TOKENS_FILE';

/** A token of the file (platform contract, section 11). */
const fileTokenShape = object('FileToken', {
  ...configuredAccessFields,
  sha256: required(
    text('be the SHA-256 of the token in hex', (digest) => /^[0-9a-f]{64}$/i.test(digest)),
    'The digest of the token',
  ),
});

type FileToken = Shaped<typeof fileTokenShape>;

/**
 * Reads the tokens of `ACCESS_TOKENS_FILE`, by the SHA-256 of each in lowercase hex.
 *
 * @throws ConfigError naming the path of the field.
 */
export function parseAccessTokens(
  content: string,
  networks: NetworkPort,
): ReadonlyMap<string, ConfiguredToken> {
  const byDigest = new Map<string, ConfiguredToken>();
  const names = new Set<string>();
  readEntries(ACCESS_TOKENS_FILE, { content, of: 'tokens' }, (entry, path) => {
    checkExactShape(fileTokenShape, entry, path);
    const token = entry as FileToken;
    checkRights(token.rights, `${path}.rights`);
    checkNetworks(token.addresses, `${path}.addresses`, networks);
    checkRule(!names.has(token.name), `${path}.name is that of another token`);
    const digest = token.sha256.toLowerCase();
    checkRule(!byDigest.has(digest), `${path}.sha256 is that of another token`);
    names.add(token.name);
    byDigest.set(digest, configured(token));
  });
  return byDigest;
}

function configured(token: FileToken): ConfiguredToken {
  const { name, rights, expires = null, queues = null, limits = null, addresses = null } = token;
  const id = `file:${name}`;
  const caller = new Caller({ id, name, keySpace: id, expires, rights, queues, limits, addresses });
  return { caller, source: 'file' };
}
