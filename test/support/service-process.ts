import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callService, type Answer } from './called-service.ts';
import { serviceBuild } from './service-build.ts';

serviceBuild.need();

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_TIMEOUT = 30_000;

/** A line of the service's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly message?: string };

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessLimits {
  /** How many files and connections it may have open; as many as the tests by default. */
  readonly openFiles?: number;
  /** The checkout whose built service is started; this one by default. */
  readonly folder?: string;
  /** The command that starts it, such as `qstash-dev`; none by default. */
  readonly command?: string;
}

/** The service as a process of its own, started as a user starts it. */
export class ServiceProcess {
  static readonly token = 'test-token';
  /** The program that is started, from the root of the project: what `built-service.ts` built. */
  static readonly program = 'dist/main.js';

  /** Everything it has logged, in order. */
  readonly logs: LogLine[] = [];
  readonly exited: Promise<Exit>;
  readonly #process: ChildProcess;
  readonly #listeners = new Set<(line: LogLine) => void>();
  #errors = '';

  private constructor(
    environment: Readonly<Record<string, string>>,
    { openFiles, folder = ROOT, command: started }: ProcessLimits = {},
  ) {
    const program = [process.execPath, ServiceProcess.program, ...(started ? [started] : [])];
    const [command = '', ...parameters] =
      openFiles === undefined
        ? program
        : ['sh', '-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh', ...program];
    this.#process = spawn(command, parameters, {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        AUTH_TOKENS: ServiceProcess.token,
        LOG_FORMAT: 'json',
        // No client needs notice when a test ends its service, except where that is what it tests.
        DRAIN_TIME: '0',
        // Lets the coverage of the test run count what happens in here.
        NODE_V8_COVERAGE: process.env['NODE_V8_COVERAGE'],
        // Code that was compiled before is not counted as exactly.
        NODE_DISABLE_COMPILE_CACHE: process.env['NODE_V8_COVERAGE'] && '1',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = once(this.#process, 'exit').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
    }));
    createInterface({ input: this.#process.stdout! }).on('line', (line) => this.#read(line));
    this.#process.stderr!.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
  }

  /** Starts it, and waits for nothing. */
  static begin(environment: Readonly<Record<string, string>>): ServiceProcess {
    return new ServiceProcess(environment);
  }

  /** Resolves when the service listens. @throws Error with its output when it ends before. */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    limits?: ProcessLimits,
  ): Promise<ServiceProcess> {
    const service = new ServiceProcess(environment, limits);
    const listening = service.logged('jobgate is listening', START_TIMEOUT);
    const failed = service.exited.then(({ code }) => {
      throw new Error(`The service ended with ${code}: ${service.#errors}`);
    });
    try {
      await Promise.race([listening, failed]);
    } catch (error) {
      await service.kill();
      throw error;
    }
    failed.catch(() => undefined);
    return service;
  }

  /** Runs the service until it ends by itself, as it does when it cannot start. */
  static async run(
    environment: Readonly<Record<string, string>>,
  ): Promise<Exit & { readonly errors: string }> {
    const service = new ServiceProcess(environment);
    const exit = await service.exited;
    return { ...exit, errors: service.#errors };
  }

  get pid(): number {
    return this.#process.pid!;
  }

  /** What it has written to standard error. */
  get errors(): string {
    return this.#errors;
  }

  get url(): string {
    const line = this.logs.find(({ message }) => message === 'jobgate is listening');
    return `http://127.0.0.1:${String(line?.['port'])}`;
  }

  /** The first line with that message, past or future. */
  logged(message: string, timeout = 10_000): Promise<LogLine> {
    return new Promise((resolve, reject) => {
      const past = this.logs.find((line) => line.message === message);
      if (past !== undefined) {
        resolve(past);
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
      };
      const listener = (line: LogLine): void => {
        if (line.message !== message) return;
        done();
        resolve(line);
      };
      const timer = setTimeout(() => {
        done();
        reject(new Error(`"${message}" was not logged in ${timeout} ms: ${this.#errors}`));
      }, timeout);
      this.#listeners.add(listener);
    });
  }

  /** Calls the REST interface, with the API token unless another one is given. */
  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    return callService(this.url, token ?? ServiceProcess.token, method, path, body);
  }

  /** Goes away as the reader of its log. */
  stopReading(): void {
    this.#process.stdout!.destroy();
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Sends the signal once more, after the time in which two signals count as one. */
  async signalAgain(signal: NodeJS.Signals): Promise<void> {
    await sleep(150);
    this.signal(signal);
  }

  /** Ends it in order. */
  async stop(): Promise<Exit> {
    if (this.#process.exitCode === null) this.#process.kill('SIGTERM');
    return this.exited;
  }

  /** Ends it as a crash does. */
  async kill(): Promise<Exit> {
    this.#process.kill('SIGKILL');
    return this.exited;
  }

  #read(line: string): void {
    const parsed = parse(line);
    this.logs.push(parsed);
    for (const listener of this.#listeners) listener(parsed);
  }
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { message: line };
  }
}
