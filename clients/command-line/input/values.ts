import { readFileSync } from 'node:fs';
import { UsageError } from './usage-error.ts';

/**
 * A JSON value in one of its forms: the value itself, `@file`, or `-` for standard input.
 *
 * @throws UsageError when it cannot be read, or is not valid JSON.
 */
export function jsonOf(name: string, text: string): unknown {
  const source = sourceOf(name, text);
  if (source.trim() === '')
    throw new UsageError(`${name} is not valid JSON: ${placeOf(text)} is empty`);
  try {
    return JSON.parse(source) as unknown;
  } catch (error) {
    const hint = text === source && /^[\w-]+$/.test(text) ? `: a text is '"${text}"'` : '';
    const problem = hint === '' ? ` (${(error as Error).message.replaceAll(/\s+/g, ' ')})` : hint;
    throw new UsageError(`${name} is not valid JSON${problem}`);
  }
}

/** @throws UsageError when it is not an object. */
export function objectOf(name: string, text: string): Record<string, unknown> {
  const value = jsonOf(name, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${name} must be a JSON object`);
  }
  return value as Record<string, unknown>;
}

function placeOf(text: string): string {
  if (text === '-') return 'standard input';
  return text.startsWith('@') ? text.slice(1) : 'it';
}

/** The text of a file or of standard input, if the argument names one. */
export function sourceOf(name: string, text: string): string {
  if (text !== '-' && !text.startsWith('@')) return text;
  try {
    return readFileSync(text === '-' ? 0 : text.slice(1), 'utf8');
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}`);
  }
}

/** The fields that have a value. */
export function given(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The same. @param thing the name of a field, for the message. @throws UsageError when none has a value. */
export function someGiven(fields: object, thing: string, command: string): object {
  const some = given(fields);
  if (Object.keys(some).length > 0) return some;
  throw new UsageError(`Give at least one ${thing}: jobgate ${command} -h`);
}
