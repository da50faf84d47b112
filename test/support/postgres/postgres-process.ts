import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { guardAgainstOrphan } from '../orphan-guard.ts';
import { serverUser } from './server-user.ts';

/** Settings of the server on its command line, such as `{ fsync: 'on' }`. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** How long (ms) a server may take to end by itself before it is killed. */
const STOP_TIMEOUT = 5000;

/** Printed once its data are recovered and the port is open. */
const READY = 'ready to accept connections';

/** A running server process. It ends with the test run, however that ends. */
export class PostgresProcess {
  readonly #child: ChildProcessByStdio<null, null, Readable>;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcessByStdio<null, null, Readable>) {
    this.#child = child;
    this.#ended = once(child, 'exit');
  }

  /**
   * Starts the server and waits until it accepts connections.
   *
   * @param programs the folder of the programs.
   * @param folder its data, which are removed with the process when the test run is cut short.
   * @throws Error with what the server printed when it ends instead.
   */
  static async start(
    programs: string,
    folder: string,
    settings: PostgresSettings,
  ): Promise<PostgresProcess> {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(programs, 'postgres'), ['-D', folder, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // Its own process group: a Ctrl-C reaches the test run alone, which then stops the server.
      detached: true,
      cwd: folder,
      ...serverUser(),
    });
    await once(child, 'spawn');
    const release = guardAgainstOrphan(child.pid as number, folder);
    child.once('exit', release);
    const server = new PostgresProcess(child);
    await server.#untilReady();
    return server;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Lets the server end after it has ended all sessions, and kills one that does not within 5 s. */
  async stop(): Promise<void> {
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT);
    await this.#end('SIGINT');
    clearTimeout(impatience);
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.ref();
    this.#child.kill(signal);
    await this.#ended;
  }

  async #untilReady(): Promise<void> {
    let printed = '';
    const ready = new Promise<void>((resolve) => {
      this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (printed.includes(READY)) return;
        printed += text;
        if (printed.includes(READY)) resolve();
      });
    });
    const failed = once(this.#child, 'exit').then(() => {
      throw new Error(`postgres ended: ${printed.trim()}`);
    });
    await Promise.race([ready, failed]);
    // A server that a test forgot must not keep the test run alive; the guard ends it.
    this.#child.unref();
    if (this.#child.stderr instanceof Socket) this.#child.stderr.unref();
  }
}
