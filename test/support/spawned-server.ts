import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { guardAgainstOrphan } from './orphan-guard.ts';

/** How long (ms) a server may take to end by itself before it is killed. */
const STOP_TIMEOUT = 5000;

/** How a server is started and ended. */
export interface ServerLaunch {
  readonly program: string;
  readonly args: readonly string[];
  /** Printed once the server accepts connections. */
  readonly ready: string;
  /** Ends it as an operator would. */
  readonly stopSignal: NodeJS.Signals;
  /** Removed with the process when the test run is cut short. */
  readonly ownFolder: string | undefined;
  readonly cwd?: string;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/** A running server process. It ends with the test run, however that ends. */
export class SpawnedServer {
  readonly #child: ChildProcess;
  readonly #launch: ServerLaunch;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess, launch: ServerLaunch) {
    this.#child = child;
    this.#launch = launch;
    this.#ended = once(child, 'exit');
  }

  /**
   * Starts the server and waits until it accepts connections.
   *
   * @throws Error with what the server printed when it ends instead.
   */
  static async start(launch: ServerLaunch): Promise<SpawnedServer> {
    const { program, args, ownFolder, cwd, uid, gid } = launch;
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group: a Ctrl-C reaches the test run alone, which then stops the server.
      detached: true,
      ...(cwd !== undefined && { cwd }),
      ...(uid !== undefined && { uid }),
      ...(gid !== undefined && { gid }),
    });
    await once(child, 'spawn');
    const release = guardAgainstOrphan(child.pid as number, ownFolder);
    child.once('exit', release);
    const server = new SpawnedServer(child, launch);
    await server.#untilReady();
    return server;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Lets the server end by itself, and kills one that does not within 5 s. */
  async stop(): Promise<void> {
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT);
    await this.#end(this.#launch.stopSignal);
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
    const { ready, program } = this.#launch;
    let printed = '';
    const accepting = new Promise<void>((resolve) => {
      for (const output of this.#outputs) {
        output.setEncoding('utf8').on('data', (text: string) => {
          if (printed.includes(ready)) return;
          printed += text;
          if (printed.includes(ready)) resolve();
        });
      }
    });
    const failed = once(this.#child, 'close').then(() => {
      throw new Error(`${program} ended: ${printed.trim()}`);
    });
    await Promise.race([accepting, failed]);
    // A server that a test forgot must not keep the test run alive; the guard ends it.
    this.#child.unref();
    for (const output of this.#outputs) if (output instanceof Socket) output.unref();
  }

  get #outputs(): readonly Readable[] {
    return [this.#child.stdout, this.#child.stderr].filter((output) => output !== null);
  }
}
