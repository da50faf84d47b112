import type { LogFields } from '../../../application/ports/logger-port.ts';

/** Names of fields that may hold secrets, so that a mistake in a log call gives nothing away. The id of a token is not secret. */
const SECRET = /token(?!Id$)|authorization|headers|password|secret|cookie/i;

const REDACTED = '[redacted]';
const MAX_DEPTH = 8;

/**
 * Fields as they may be logged: plain data that JSON can hold, even if they nest deeply, contain cycles or throw, with
 * secrets redacted at any depth. An Error becomes `{message, code, stack, cause}`; the field `error` is always such an
 * object, even if something else was thrown.
 */
export function loggable(fields: LogFields): Readonly<Record<string, unknown>> {
  const plainFields = plainEntries(Object.entries(fields), [fields]);
  if (!('error' in fields) || hasMessage(plainFields['error'])) return plainFields;
  return { ...plainFields, error: { message: messageOf(plainFields['error']) } };
}

function hasMessage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'message' in value;
}

function messageOf(thrown: unknown): string {
  if (thrown === undefined) return 'undefined';
  return typeof thrown === 'string' ? thrown : JSON.stringify(thrown);
}

function plain(value: unknown, parents: readonly object[]): unknown {
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return value;
  if (parents.includes(value)) return '[circular]';
  if (parents.length === MAX_DEPTH) return '[deep]';
  try {
    return plainObject(value, [...parents, value]);
  } catch {
    return '[unreadable]';
  }
}

function plainObject(value: object, parents: readonly object[]): unknown {
  if (value instanceof Error) return plainError(value, parents);
  if (value instanceof Date || value instanceof URL) return value.toJSON();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Map) return plainEntries([...value], parents);
  if (Array.isArray(value) || value instanceof Set) {
    return Array.from(value as Iterable<unknown>, (item) => plain(item, parents));
  }
  return plainEntries(Object.entries(value), parents);
}

function plainEntries(
  entries: readonly (readonly [unknown, unknown])[],
  parents: readonly object[],
): Record<string, unknown> {
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const name = String(key);
      return [name, SECRET.test(name) ? REDACTED : plain(value, parents)];
    }),
  );
}

function plainError(error: Error, parents: readonly object[]): object {
  const code = 'code' in error ? plain(error.code, parents) : undefined;
  const cause = plain(error.cause, parents);
  // The error of a connection that failed at every address of its host has a code but no message.
  const message = error.message || (typeof code === 'string' ? code : error.name);
  return { message, code, stack: error.stack, cause };
}
