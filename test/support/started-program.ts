import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** A program that serves HTTP and says so in its first line: `Listening on http://...`. */
export class StartedProgram {
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #ended: Promise<[number | null]>;

  private constructor(
    child: ChildProcessByStdio<null, Readable, null>,
    readonly url: string,
  ) {
    this.#child = child;
    this.#ended = once(child, 'exit') as Promise<[number | null]>;
  }

  /** @throws Error of one line when the program is missing or ends instead of serving. */
  static async start(
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<StartedProgram> {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw new Error(`This test runs ${command}: install it and put it on the PATH`, {
        cause: error,
      });
    }
    const lines = createInterface({ input: child.stdout });
    const line = await Promise.race([
      once(lines, 'line').then(([text]) => String(text)),
      once(lines, 'close').then(() => ''),
    ]);
    const url = /^Listening on (http:\S+)$/.exec(line)?.[1];
    if (url !== undefined) return new StartedProgram(child, url);
    child.kill('SIGKILL');
    throw new Error(`${command} did not say where it listens, but ${JSON.stringify(line)}`);
  }

  /** Asks the program to end; resolves with its exit code. */
  async end(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    const [code] = await this.#ended;
    return code;
  }

  /** Resolves once nothing listens any more, though the program may still run. */
  async refusesConnections(): Promise<void> {
    const { hostname, port } = new URL(this.url);
    for (;;) {
      const socket = connect(Number(port), hostname);
      const refused = await once(socket, 'connect').then(
        () => false,
        () => true,
      );
      socket.destroy();
      if (refused) return;
      await wait(10);
    }
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
