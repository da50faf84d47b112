import { DomainError } from '../../domain/errors.ts';
import { parsedJson } from '../../domain/values/json.ts';
import { checkRule } from './check-rule.ts';
import { ConfigError } from './config-error.ts';

/**
 * Reads the JSON file that a variable names.
 *
 * @param read may throw DomainError naming the path of the field.
 * @throws ConfigError naming the variable too.
 */
export function readJson<Value>(
  variable: string,
  content: string,
  read: (value: unknown) => Value,
): Value {
  try {
    const value = parsedJson(content);
    checkRule(value !== undefined, 'must hold JSON');
    return read(value);
  } catch (error) {
    throw error instanceof DomainError ? fileError(variable, error.message) : error;
  }
}

/**
 * Reads each entry of the JSON file that a variable names.
 *
 * @param read may throw DomainError naming the path of the field.
 * @throws ConfigError naming the variable too.
 */
export function readEntries<Entry>(
  variable: string,
  { content, of }: { readonly content: string; readonly of: string },
  read: (entry: unknown, path: string) => Entry,
): readonly Entry[] {
  return readJson(variable, content, (list) => {
    checkRule(Array.isArray(list), `must hold a JSON array of ${of}`);
    return list.map((entry, index) => read(entry, `[${index}]`));
  });
}

export function fileError(variable: string, message: string): ConfigError {
  return new ConfigError([`${variable}: ${message}`]);
}
