import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { guardAgainstOrphan } from '../orphan-guard.ts';

/** Settings of the server on its command line, such as `{ maxmemory: '20mb' }`. */
export type RedisSettings = Readonly<Record<string, string>>;

/** How long a server may take to end by itself before it is killed, in milliseconds. */
const STOP_TIMEOUT = 5000;

/** A running server process. It ends with the test run, however that ends. */
export class RedisProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcessByStdio<null, Readable, Readable>) {
    this.#child = child;
    this.#ended = once(child, 'exit');
  }

  /**
   * Starts the program and waits until it accepts connections.
   *
   * @param ownFolder removed with the process when the test run is cut short.
   * @throws Error with what the server printed when it ends instead.
   */
  static async start(
    binary: string,
    settings: RedisSettings,
    ownFolder: string | undefined,
  ): Promise<RedisProcess> {
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(binary, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group: a Ctrl-C reaches the test run alone, which then stops the server.
      detached: true,
    });
    await once(child, 'spawn');
    const release = guardAgainstOrphan(child.pid as number, ownFolder);
    child.once('exit', release);
    const server = new RedisProcess(child);
    await server.#untilReady();
    return server;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Lets the server end as an operator would, and kills one that does not within 5 s. */
  async stop(): Promise<void> {
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT);
    await this.#end('SIGTERM');
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
      for (const output of [this.#child.stdout, this.#child.stderr]) {
        output.setEncoding('utf8').on('data', (text: string) => {
          if (printed.includes(READY)) return;
          printed += text;
          if (printed.includes(READY)) resolve();
        });
      }
    });
    const failed = once(this.#child, 'close').then(() => {
      throw new Error(`${this.#child.spawnfile} ended: ${printed.trim()}`);
    });
    await Promise.race([ready, failed]);
    this.#letTheRunEnd();
  }

  /** A server that a test forgot must not keep the test run alive; the guard ends it. */
  #letTheRunEnd(): void {
    this.#child.unref();
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      if (output instanceof Socket) output.unref();
    }
  }
}

/** Printed by Redis and Valkey once their data are loaded and the port is open. */
const READY = 'Ready to accept connections';
