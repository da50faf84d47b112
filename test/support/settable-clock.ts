import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installDebianPackage } from './debian-package.ts';

/** Where Debian and its kin keep the library that stands between a process and the clock. */
const LIBRARIES = '/usr/lib';
const LIBRARY = /(?:^|\/)faketime\/libfaketimeMT\.so\.1$/;

/** A clock that a test sets for the processes it starts. Their monotonic clock runs on, as on a real machine. */
export class SettableClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'jobgate-clock-'));
  readonly #library: string;

  private constructor(library: string) {
    this.#library = library;
    // A server may run as another user.
    chmodSync(this.#folder, 0o755);
    this.set(0);
  }

  /** @throws Error that says what to do when the library is missing and cannot be installed. */
  static async create(): Promise<SettableClock> {
    const known = await findLibrary();
    if (known !== undefined) return new SettableClock(known);
    await installDebianPackage('libfaketime', 'libfaketime');
    const installed = await findLibrary();
    if (installed === undefined) throw new Error('No libfaketime for the tests: install it');
    return new SettableClock(installed);
  }

  /** Has the processes on this clock be some seconds ahead of the machine. */
  set(seconds: number): void {
    const next = join(this.#folder, 'next');
    writeFileSync(next, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    renameSync(next, this.#file);
  }

  /** The variables of a process on this clock. */
  get environment(): Readonly<Record<string, string>> {
    return {
      // The allocator of a Redis asks for the time before the library is ready; that of libc does not.
      LD_PRELOAD: `${this.#library}:libc.so.6`,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** Puts the processes that are started meanwhile, which inherit the variables of this one, on this clock. */
  async during<Started>(start: () => Promise<Started>): Promise<Started> {
    Object.assign(process.env, this.environment);
    try {
      return await start();
    } finally {
      for (const name of Object.keys(this.environment)) Reflect.deleteProperty(process.env, name);
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#folder, 'offset');
  }
}

async function findLibrary(): Promise<string | undefined> {
  for (const folder of await readdir(LIBRARIES)) {
    const inside = await readdir(join(LIBRARIES, folder, 'faketime')).catch(() => []);
    const name = inside.find((each) => LIBRARY.test(`faketime/${each}`));
    if (name !== undefined) return join(LIBRARIES, folder, 'faketime', name);
  }
  return undefined;
}
