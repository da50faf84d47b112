import { basename } from 'node:path';
import type { TestStore } from './find-store.ts';

export interface LocalStoreSeams {
  readonly findBinary: () => Promise<string | undefined>;
  readonly startServer: (binary: string) => Promise<{ uri: string; stop(): Promise<void> }>;
}

/** An own process of the server program on the PATH. */
export async function localStore({
  findBinary,
  startServer,
}: LocalStoreSeams): Promise<TestStore | undefined> {
  const binary = await findBinary();
  if (binary === undefined) return undefined;
  const server = await startServer(binary);
  return {
    uri: server.uri,
    origin: `${basename(binary)} at ${server.uri}`,
    stop: () => server.stop(),
  };
}
