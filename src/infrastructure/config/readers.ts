import type { HostAndPort } from '../../adapters/outbound/redis/connection/redis-settings.ts';
import { parseOutboundEntry } from '../../adapters/outbound/webhook/guard/outbound-entry.ts';
import { limitShape, type TokenLimit } from '../../domain/access/token-limits.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  retentionPolicyShape,
  type RetentionPolicy,
} from '../../domain/policies/retention-policy.ts';
import { parsedJson } from '../../domain/values/json.ts';
import { excerpt } from '../../domain/values/text.ts';
import { IpNetworks } from '../ip-networks.ts';
import type { EncryptionKey } from '../../adapters/outbound/encryption/aes-secret-cipher.ts';
import { checkExactShape } from '../../domain/values/check-shape.ts';
import { parseEncryptionKeys } from './encryption-keys.ts';
import { parseHostList } from './host-list.ts';
import { parsePostgresUri, type PostgresUri } from './postgres-uri.ts';
import { parseRedisUri, type RedisUri } from './redis-uri.ts';
import { parsedUrl } from '../../domain/values/parsed-url.ts';

/** Returns the text of a file, or throws. */
export type ReadFile = (path: string) => string;

/** How the text of a variable is parsed. */
export interface Reader<Value> {
  /** The rule for the text, as the end of a sentence after "<name> must"; it may name the part that violates it. */
  readonly must: string | ((text: string) => string);
  /** The value, or undefined when the text violates the rule. */
  readonly parse: (text: string, readFile: ReadFile) => Value | undefined;
}

/** In bytes. A string in Node.js holds 512 MB at most, and processing one needs room. */
const MAX_SIZE = 256 * 1024 * 1024;

const NETWORKS = new IpNetworks();

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 * 1024 };

/** The longest a timer can run, in milliseconds. */
const MAX_TIME = 2 ** 31 - 1;

export const anyText: Reader<string> = {
  must: 'be text',
  parse: (text) => text,
};

export function textLike(pattern: RegExp, must: string): Reader<string> {
  return { must, parse: (text) => (pattern.test(text) ? text : undefined) };
}

export function integer(least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> {
  return {
    must: `be an integer from ${least} to ${most}`,
    parse: (text) => {
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

/** Milliseconds within the range of a timer. */
export function time(least: number): Reader<number> {
  return integer(least, MAX_TIME);
}

/** A number of bytes, or of kb or mb (1024 and 1024 times 1024 bytes). */
export const size: Reader<number> = {
  must: 'be a size of at least 1 byte and at most 256mb, such as 65536, 512kb or 10mb',
  parse: (text) => {
    const [, number, unit = 'b'] = /^(\d{1,12})(b|kb|mb)?$/i.exec(text) ?? [];
    const bytes = Number(number) * (UNITS[unit.toLowerCase()] ?? NaN);
    return bytes >= 1 && bytes <= MAX_SIZE ? bytes : undefined;
  },
};

const TRUTHS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export const trueOrFalse: Reader<boolean> = {
  must: 'be true, false, 1 or 0',
  parse: (text) => TRUTHS.get(text.toLowerCase()),
};

export function oneOf<const Value extends string>(...values: readonly Value[]): Reader<Value> {
  return {
    must: `be ${listed(values)}`,
    parse: (text) => values.find((value) => value === text),
  };
}

/** As "a, b or c". */
function listed(values: readonly string[]): string {
  const others = values.slice(0, -1);
  return [others.join(', '), ...values.slice(-1)].filter((each) => each !== '').join(' or ');
}

/** The parts between commas, trimmed, without empty ones. */
export const tokenList: Reader<readonly string[]> = {
  must: 'contain no token with whitespace in it',
  parse: (text) => {
    const tokens = parts(text);
    return tokens.some((token) => /\s/.test(token)) ? undefined : tokens;
  },
};

/** SHA-256 digests in hex, separated by commas; returned in lowercase. */
export const digestList: Reader<readonly string[]> = {
  must: 'be a list of SHA-256 digests, each of 64 hexadecimal digits',
  parse: (text) => {
    const digests = parts(text).map((digest) => digest.toLowerCase());
    return digests.every((digest) => /^[0-9a-f]{64}$/.test(digest)) ? digests : undefined;
  },
};

const POSTGRES_FORM = 'postgres://user:password@host:port/database';

export const storeUri: Reader<RedisUri | PostgresUri> = {
  must: `have the form redis://user:password@host:port/database, or rediss:// for TLS, or ${POSTGRES_FORM}`,
  parse: (text) => parseRedisUri(text) ?? parsePostgresUri(text),
};

export const postgresUri: Reader<PostgresUri> = {
  must: `have the form ${POSTGRES_FORM}`,
  parse: parsePostgresUri,
};

/** Without trailing slashes, so that a path can be appended. */
export const publicUrl: Reader<string> = {
  must: 'be an http or https URL without user name, password, query and fragment',
  parse: (text) => {
    const url = parsedUrl(text);
    if (url === undefined) return undefined;
    const { protocol, username, password, href } = url;
    const isPlain = username === '' && password === '' && !/[?#]/.test(text);
    return /^https?:$/.test(protocol) && isPlain ? href.replace(/\/+$/, '') : undefined;
  },
};

export const hostList: Reader<readonly HostAndPort[]> = {
  must: 'be a list such as host:6379,[::1]:6380, every entry with its port',
  parse: parseHostList,
};

/** Networks and hosts, separated by commas. */
export const outboundList = listOf(
  (entry) => parseOutboundEntry(entry) !== undefined,
  '10.0.0.0/8,*.example.com',
  'neither a network nor a host',
);

export const limit: Reader<TokenLimit> = {
  must: 'be a number and milliseconds from 1000 to 86400000, such as 1000/60000',
  parse: (text) => {
    const [, max, duration] = /^(\d{1,15})\/(\d{1,15})$/.exec(text) ?? [];
    const parsed = { max: Number(max), duration: Number(duration) };
    return limitShape.accepts(parsed) ? parsed : undefined;
  },
};

/** The retention of a policy as JSON. The message names the wrong field. */
export const retention: Reader<RetentionPolicy> = {
  must: (text) => {
    const example = 'be JSON such as {"completed": {"age": 86400}, "failed": {"count": 1000}}';
    const problem = retentionProblem(parsedJson(text));
    return problem === undefined ? example : `${example}: ${problem}`;
  },
  parse: (text) => {
    const value = parsedJson(text);
    return retentionProblem(value) === undefined ? (value as RetentionPolicy) : undefined;
  },
};

function retentionProblem(value: unknown): string | undefined {
  if (value === undefined) return 'it is no JSON';
  try {
    checkExactShape(retentionPolicyShape, value, 'retention');
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

export const networkList = listOf(
  (entry) => NETWORKS.isNetwork(entry),
  '10.0.0.0/8,127.0.0.1',
  'no network',
);

/** The message names the wrong entry, since entries are not secret and hard to find in a long list. */
function listOf(
  isEntry: (text: string) => boolean,
  example: string,
  problem: string,
): Reader<readonly string[]> {
  return {
    must: (text) => {
      const wrong = parts(text).find((entry) => !isEntry(entry)) ?? '';
      return `be a list such as ${example}: "${excerpt(wrong)}" is ${problem}`;
    },
    parse: (text) => {
      const entries = parts(text);
      return entries.every(isEntry) ? entries : undefined;
    },
  };
}

/** The variable contains a path, and its value is the content of the file. */
export const file: Reader<string> = {
  must: 'be the path of a file that can be read',
  parse: (path, readFile) => {
    try {
      return readFile(path);
    } catch {
      return undefined;
    }
  },
};

const KEYS =
  'keys such as 2026b:<base64 of 32 bytes>,2026a:<base64 of 32 bytes>, each with an id of its own';

export const encryptionKeys: Reader<readonly EncryptionKey[]> = {
  must: `be ${KEYS}`,
  parse: parseEncryptionKeys,
};

/** The variable contains a path, and its value consists of the keys in the file. */
export const encryptionKeysFile: Reader<readonly EncryptionKey[]> = {
  must: `be the path of a file that holds ${KEYS}`,
  parse: (path, readFile) => {
    const content = file.parse(path, readFile);
    return content === undefined ? undefined : parseEncryptionKeys(content);
  },
};

function parts(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
