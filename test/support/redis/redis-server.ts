import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { requireRedisBinary } from './redis-binary.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { startRedis, type RedisSettings } from './redis-process.ts';
import { storeSession } from './store-session.ts';

// A test file that imports this one will start servers, so the run finds their program beforehand.
storeSession.needServers();

export interface RedisServerOptions {
  /**
   * Settings of the server by name, such as `{ maxmemory: '20mb', appendonly: 'yes' }`. A `dir` that
   * is given stays after the server; without one a temporary folder comes and goes with it.
   */
  readonly settings?: RedisSettings;
  /** The program to run; without it, the one of this machine. */
  readonly binary?: string;
}

/** An own server for one test: on a free port of 127.0.0.1, without persistence unless asked for. */
export class RedisServer {
  readonly port: number;
  /** Where the nodes of a cluster talk to each other; unused without `cluster-enabled`. */
  readonly busPort: number;
  readonly #binary: string;
  readonly #settings: RedisSettings;
  readonly #ownFolder: string | undefined;
  #process: SpawnedServer;

  private constructor(launch: Launch, process: SpawnedServer) {
    this.port = launch.port;
    this.busPort = launch.busPort;
    this.#binary = launch.binary;
    this.#settings = launch.settings;
    this.#ownFolder = launch.ownFolder;
    this.#process = process;
  }

  /** @throws Error with what the server printed when it does not start. */
  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    const binary = options.binary ?? (await requireRedisBinary());
    const given = options.settings ?? {};
    const ownFolder =
      given['dir'] === undefined ? await mkdtemp(join(tmpdir(), 'jobgate-redis-')) : undefined;
    for (let attempt = 1; ; attempt += 1) {
      const [port, busPort] = [await freePort(), await freePort()];
      const settings = { ...defaults(port, ownFolder), ...busSettings(given, busPort), ...given };
      try {
        const process = await startRedis(binary, settings, ownFolder);
        return new RedisServer({ port, busPort, binary, settings, ownFolder }, process);
      } catch (error) {
        if (isPortTaken(error) && attempt < MAX_ATTEMPTS) continue;
        if (ownFolder !== undefined) await rm(ownFolder, { recursive: true, force: true });
        throw error;
      }
    }
  }

  get uri(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Ends the server as a crash would: what it had not written is lost. It may be restarted. */
  async kill(): Promise<void> {
    await this.#process.kill();
  }

  /** Starts it again on the same port and folder, after ending it gently if it still runs. */
  async restart(): Promise<void> {
    await this.#process.stop();
    this.#process = await startRedis(this.#binary, this.#settings, this.#ownFolder);
  }

  /** Ends the server for good; harmless when it has ended already. */
  async stop(): Promise<void> {
    await this.#process.stop();
    if (this.#ownFolder !== undefined) {
      await rm(this.#ownFolder, { recursive: true, force: true });
    }
  }
}

interface Launch {
  readonly port: number;
  readonly busPort: number;
  readonly binary: string;
  readonly settings: RedisSettings;
  readonly ownFolder: string | undefined;
}

/** How often a port that another program took first is given up for a new one. */
const MAX_ATTEMPTS = 5;

function defaults(port: number, ownFolder: string | undefined): RedisSettings {
  return {
    port: String(port),
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    ...(ownFolder === undefined ? {} : { dir: ownFolder }),
  };
}

/** The usual bus port, 10000 above the other, may not exist; Redis before 7 has no such setting. */
function busSettings(given: RedisSettings, busPort: number): RedisSettings {
  return given['cluster-enabled'] === 'yes' ? { 'cluster-port': String(busPort) } : {};
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && /address already in use/i.test(error.message);
}
