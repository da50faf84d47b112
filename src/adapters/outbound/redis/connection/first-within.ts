import type { StoreCommands } from './store-commands.ts';

/**
 * Whether the caller is the first one of all replicas: then nobody else is for `interval` ms, by the clock of the store.
 *
 * @param key of what it is the first for.
 * @throws DomainError `store-unavailable`.
 */
export async function isFirstWithin(
  { client, errors }: StoreCommands,
  key: string,
  interval: number,
): Promise<boolean> {
  return (await errors.run(() => client.set(key, 1, 'PX', interval, 'NX'))) === 'OK';
}
