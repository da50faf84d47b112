import type { TestStore } from './find-store.ts';

export interface EnvironmentStoreSeams {
  readonly env: NodeJS.ProcessEnv;
  /** Rejects when nothing answers at the address. */
  readonly ping: (uri: string) => Promise<void>;
}

/**
 * The store that TEST_STORE_URI names. It was asked for by name, so one that does not answer is an
 * error, not a reason to look further. It is not ours to stop.
 */
export async function environmentStore({
  env,
  ping,
}: EnvironmentStoreSeams): Promise<TestStore | undefined> {
  const uri = env['TEST_STORE_URI'];
  if (uri === undefined || uri === '') return undefined;
  try {
    await ping(uri);
  } catch (error) {
    throw new Error(
      `TEST_STORE_URI is set but its store does not answer (${reason(error)}): start it or unset the variable`,
      { cause: error },
    );
  }
  return { uri, origin: 'TEST_STORE_URI', stop: () => Promise.resolve() };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
