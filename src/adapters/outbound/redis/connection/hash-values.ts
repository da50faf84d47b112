import type { StoreCommands } from './store-commands.ts';

/**
 * Replaces the values of a hash, which are JSON, where that changes them.
 *
 * @param changed undefined for a value that stays.
 * @throws DomainError `store-unavailable`.
 */
export async function replaceValues(
  store: StoreCommands,
  key: string,
  changed: (text: string) => unknown,
): Promise<void> {
  const fields = Object.entries(await store.run((client) => client.hgetall(key)));
  for (const [field, text] of fields) {
    const value = changed(text);
    const next = value === undefined ? text : JSON.stringify(value);
    if (next !== text) await store.run((client) => client.hset(key, field, next));
  }
}
