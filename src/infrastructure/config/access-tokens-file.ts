import { Caller } from '../../domain/access/caller.ts';
import { checkRights, configuredAccessFields } from '../../domain/access/access-token.ts';
import { DomainError } from '../../domain/errors.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { object, required, text, type Shaped } from '../../domain/values/shape.ts';
import { checkNetworks } from '../../application/access/check-networks.ts';
import type { NetworkPort } from '../../application/ports/network-port.ts';
import type { ConfiguredToken } from '../../application/access/configured-tokens.ts';
import { unknownField } from './unknown-field.ts';
import { ConfigError } from './config-error.ts';

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
  const list = parsed(content);
  if (!Array.isArray(list)) throw problem('must hold a JSON array of tokens');
  const byDigest = new Map<string, ConfiguredToken>();
  const names = new Set<string>();
  list.forEach((entry: unknown, index) => {
    const path = `[${index}]`;
    const token = checked(entry, path, networks);
    if (names.has(token.name)) throw problem(`${path}.name is that of another token`);
    const digest = token.sha256.toLowerCase();
    if (byDigest.has(digest)) throw problem(`${path}.sha256 is that of another token`);
    names.add(token.name);
    byDigest.set(digest, configured(token));
  });
  return byDigest;
}

function configured({
  name,
  rights,
  queues,
  expires,
  limits,
  addresses,
}: FileToken): ConfiguredToken {
  const id = `file:${name}`;
  return {
    caller: new Caller({
      id,
      name,
      keySpace: id,
      expires: expires ?? null,
      rights,
      queues: queues ?? null,
      limits: limits ?? null,
      addresses: addresses ?? null,
    }),
    addresses: addresses ?? null,
    source: 'file',
  };
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw problem('must hold JSON');
  }
}

function checked(entry: unknown, path: string, networks: NetworkPort): FileToken {
  try {
    checkShape(fileTokenShape, entry, path);
    const unknown = unknownField(fileTokenShape, entry, path);
    if (unknown !== undefined) throw problem(`${unknown} is unknown`);
    const token = entry as FileToken;
    checkRights(token.rights, `${path}.rights`);
    checkNetworks(token.addresses, `${path}.addresses`, networks);
    return token;
  } catch (error) {
    if (error instanceof DomainError) throw problem(error.message);
    throw error;
  }
}

/** A file that cannot be read is a configuration error as well. */
export function unreadable(cause: unknown): ConfigError {
  return problem(
    `the file cannot be read (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`,
  );
}

function problem(message: string): ConfigError {
  return new ConfigError([`ACCESS_TOKENS_FILE: ${message}`]);
}
