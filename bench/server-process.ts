import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Costly } from './measure.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A server in a process of its own, that prints a line with the port it listens on. */
export class ServerProcess implements Costly {
  readonly #process: ChildProcess;

  private constructor(
    process: ChildProcess,
    readonly port: number,
    /** Milliseconds from the start of the process until it listened. */
    readonly startTime: number,
  ) {
    this.#process = process;
  }

  static async start(
    parameters: readonly string[],
    environment: Readonly<Record<string, string>>,
    folder = ROOT,
  ): Promise<ServerProcess> {
    const started = performance.now();
    const child = spawn(process.execPath, parameters, {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const port = await listening(child.stdout);
    showErrors(child.stdout);
    return new ServerProcess(child, port, performance.now() - started);
  }

  /**
   * The built service, started as the image starts it.
   *
   * @param folder of its checkout.
   */
  static service(
    environment: Readonly<Record<string, string>>,
    folder = ROOT,
  ): Promise<ServerProcess> {
    const [, ...parameters] = imageCommand(folder);
    const own = {
      PORT: '0',
      AUTH_TOKENS: 'bench',
      LOG_FORMAT: 'json',
      NODE_ENV: 'production',
      DRAIN_TIME: '0',
      ...environment,
    };
    return ServerProcess.start(parameters, own, folder);
  }

  /**
   * The service of another checkout, if one is given, on the same store as ours and with workers of its own.
   *
   * @param checkout its folder.
   */
  static async before(
    environment: Readonly<Record<string, string>>,
    checkout: string | undefined,
  ): Promise<ServerProcess | undefined> {
    if (checkout === undefined) return undefined;
    return ServerProcess.service(
      { ...environment, WORKER_METADATA_KEY: 'jobgate:before' },
      checkout,
    );
  }

  /** Resident memory in bytes. */
  get memory(): number {
    return this.#status(/VmRSS:\s+(\d+) kB/);
  }

  /** The most resident memory that it had since its start, or since `forgetPeak`, in bytes. */
  get peakMemory(): number {
    return this.#status(/VmHWM:\s+(\d+) kB/);
  }

  /** Forgets the peak so far: from now on `peakMemory` is the most since. */
  forgetPeak(): void {
    writeFileSync(`/proc/${this.#process.pid}/clear_refs`, '5');
  }

  /** Whether the process ended by itself. */
  get ended(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  get processorTime(): number {
    return processorTime(this.#process.pid ?? 0);
  }

  /** The ports of the clients whose connections it has open. */
  get clientPorts(): ReadonlySet<number> {
    const port = this.port.toString(16).toUpperCase().padStart(4, '0');
    const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/net/${name}`, 'utf8'));
    const rows = tables
      .flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
      // One that the process has closed has no inode.
      .filter(([, own, , , , , , , , inode]) => own?.endsWith(`:${port}`) && inode !== '0');
    return new Set(rows.map(([, , remote]) => parseInt(remote?.split(':')[1] ?? '', 16)));
  }

  #status(kilobytes: RegExp): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
    return Number(kilobytes.exec(status)?.[1] ?? 0) * 1024;
  }

  async stop(): Promise<void> {
    if (this.ended) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
  }
}

/** Lines about other things, such as the choice of the store, may come first. */
async function listening(output: Readable): Promise<number> {
  for await (const line of createInterface({ input: output })) {
    const { port } = JSON.parse(line) as { port?: number };
    if (port !== undefined) return port;
  }
  throw new Error('The server ended before it listened');
}

/** Prints the errors that a service logs as JSON: they say why its answers are errors. */
function showErrors(output: Readable): void {
  createInterface({ input: output }).on('line', (line) => {
    if (line.includes('"level":"error"')) console.error(line);
  });
}

/** What a process uses of a processor. */
export function costOf(pid: number): Costly {
  return {
    get processorTime() {
      return processorTime(pid);
    },
  };
}

/** Processor time of the threads of a process so far, in milliseconds: exact, where its own counters are ticks of 10 ms. */
function processorTime(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [running] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    nanoseconds += Number(running);
  }
  return nanoseconds / 1e6;
}

function imageCommand(folder: string): readonly string[] {
  const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8');
  // Another checkout may be older than the entry point.
  const command = /^(?:ENTRYPOINT|CMD) (.+)$/m.exec(dockerfile)?.[1];
  if (command === undefined) throw new Error('The Dockerfile has no ENTRYPOINT');
  return JSON.parse(command) as string[];
}
