import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../input/usage-error.ts';
import type { Variables } from '../stores.ts';

/** A service that the user has logged in to. */
export interface Context {
  readonly url: string;
  readonly token: string;
}

export interface Contexts {
  /** The context that applies when no other is named. */
  readonly current: string | null;
  readonly contexts: Readonly<Record<string, Context>>;
}

/** The services that the user has logged in to, in a file that only the user can read. */
export class ContextsFile {
  readonly path: string;

  constructor(environment: Variables) {
    const { XDG_CONFIG_HOME, APPDATA, HOME } = environment;
    const folder = XDG_CONFIG_HOME ?? APPDATA ?? join(HOME ?? homedir(), '.config');
    this.path = join(folder, 'jobgate', 'contexts.json');
  }

  /** @throws UsageError when the file does not have the format that `write` produces. */
  read(): Contexts {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return { current: null, contexts: {} };
      throw new UsageError(`${this.path} cannot be read: ${(error as Error).message}`);
    }
    try {
      const { current, contexts } = JSON.parse(text) as Contexts;
      const values = Object.values(contexts).flatMap(({ url, token }): unknown[] => [url, token]);
      if (values.some((value) => typeof value !== 'string')) throw new TypeError();
      return { current, contexts };
    } catch {
      throw new UsageError(`${this.path} is damaged: remove it, and log in again`);
    }
  }

  /** Replaces the file atomically, so that a reader never sees half of it. */
  write(contexts: Contexts): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const next = `${this.path}.${process.pid}`;
    writeFileSync(next, `${JSON.stringify(contexts, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(next, this.path);
  }
}
