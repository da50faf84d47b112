import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');

/** What the sources of the service and the scripts that write its documents need. */
const COPIED = ['src', 'scripts', 'package.json', 'tsconfig.json'];

/** A copy of the sources of the service, to be changed and run. */
export class EditedCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'jobgate-copy-'));
  #service: ChildProcess | undefined;

  constructor() {
    for (const name of COPIED)
      cpSync(join(ROOT, name), join(this.#folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  /**
   * Adds lines, each behind a text that its file has once.
   *
   * @returns the files that are changed.
   */
  change(additions: readonly (readonly [path: string, before: string, lines: string])[]): string[] {
    for (const [path, before, lines] of additions) {
      const file = join(this.#folder, path);
      const [start, end, ...more] = readFileSync(file, 'utf8').split(before);
      if (end === undefined || more.length > 0)
        throw new Error(`${path} has no single "${before}"`);
      writeFileSync(file, `${start}${before}${lines}${end}`);
    }
    return [...new Set(additions.map(([path]) => path))];
  }

  /** What a program that runs in the copy writes to its output, as JSON. */
  outputOf(program: string): unknown {
    const file = join(this.#folder, 'program.ts');
    writeFileSync(file, program);
    const options = { cwd: this.#folder, encoding: 'utf8' } as const;
    return JSON.parse(execFileSync(process.execPath, ['--import', 'tsx', file], options));
  }

  /** Starts the service on a store in memory. @returns its address. */
  async start(environment: Readonly<Record<string, string>>): Promise<string> {
    this.#service = spawn(process.execPath, ['--import', 'tsx', 'src/infrastructure/main.ts'], {
      cwd: this.#folder,
      env: {
        PATH: process.env['PATH'],
        STORE: 'memory',
        PORT: '0',
        LOG_FORMAT: 'json',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: this.#service.stdout! })) {
      const { message, port } = JSON.parse(line) as { message: string; port?: number };
      if (message === 'jobgate is listening') return `http://127.0.0.1:${port}`;
    }
    throw new Error('The service ended before it listened');
  }

  /** Ends the service and removes the copy. */
  async remove(): Promise<void> {
    if (this.#service !== undefined) {
      const ended = once(this.#service, 'exit');
      this.#service.kill();
      await ended;
    }
    rmSync(this.#folder, { recursive: true });
  }
}
