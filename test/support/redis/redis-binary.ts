import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const NAMES = ['redis-server', 'valkey-server'];

/** The server program on the PATH, Redis before Valkey wherever they stand in it. */
export async function findRedisBinary(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const name of NAMES) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (await isProgram(path)) return path;
    }
  }
  return undefined;
}

export const NO_BINARY =
  'No Redis server program for the tests: put redis-server or valkey-server on the PATH';

export interface RequireBinarySeams {
  readonly find: () => Promise<string | undefined>;
  /** True when it put a server program on the PATH. */
  readonly install: () => Promise<boolean>;
}

/** The server program, installed first where that is possible. @throws Error {@link NO_BINARY} */
export async function requireBinary({ find, install }: RequireBinarySeams): Promise<string> {
  const found = (await find()) ?? ((await install()) ? await find() : undefined);
  if (found === undefined) throw new Error(NO_BINARY);
  return found;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
