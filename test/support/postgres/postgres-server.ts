import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../redis/free-port.ts';
import type { SpawnedServer } from '../spawned-server.ts';
import { startPostgres, type PostgresSettings } from './postgres-process.ts';
import { requirePostgresPrograms } from './postgres-programs.ts';
import { postgresSession } from './postgres-session.ts';
import { serverUser } from './server-user.ts';

// A test file that imports this one will start servers, so the run finds their programs beforehand.
postgresSession.needServers();

const execute = promisify(execFile);

/** How often a port that another program took first is given up for a new one. */
const MAX_ATTEMPTS = 5;

/** How long (ms) the processes of a server that was killed may take to notice it. */
const LAST_PROCESSES = 10_000;

/** An own server for one test: on a free port of 127.0.0.1, with a superuser `postgres` that needs no password. */
export class PostgresServer {
  readonly port: number;
  readonly #programs: string;
  readonly #folder: string;
  readonly #settings: PostgresSettings;
  #process: SpawnedServer;

  private constructor(launch: Launch, process: SpawnedServer) {
    this.port = launch.port;
    this.#programs = launch.programs;
    this.#folder = launch.folder;
    this.#settings = launch.settings;
    this.#process = process;
  }

  /**
   * @param given settings by name. Without `fsync` it is off: what a killed server had written is there, as the system
   * goes on, but a test of durability sets it.
   * @param places the folders in which it keeps what it stores, for disks of their own.
   * @throws Error with what the server printed when it does not start.
   */
  static async start(
    given: PostgresSettings = {},
    places: ClusterPlaces = {},
  ): Promise<PostgresServer> {
    const programs = await requirePostgresPrograms();
    const folder = await newCluster(programs, places);
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      const settings = { ...DEFAULTS, port: String(port), ...given };
      try {
        const process = await startPostgres(programs, folder, settings);
        return new PostgresServer({ port, programs, folder, settings }, process);
      } catch (error) {
        if (isAbout(error, /address already in use/i) && attempt < MAX_ATTEMPTS) continue;
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
    }
  }

  get uri(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Ends the server as a crash would. It may be restarted. */
  async kill(): Promise<void> {
    await this.#process.kill();
  }

  /** Starts it again on the same port and folder, after ending it gently if it still runs. */
  async restart(): Promise<void> {
    await this.#process.stop();
    const latest = performance.now() + LAST_PROCESSES;
    for (;;) {
      try {
        this.#process = await startPostgres(this.#programs, this.#folder, this.#settings);
        return;
      } catch (error) {
        const isHeld = isAbout(error, /lock file|shared memory block|address already in use/i);
        if (!isHeld || performance.now() > latest) throw error;
      }
    }
  }

  /** Ends the server for good; harmless when it has ended already. */
  async stop(): Promise<void> {
    await this.#process.stop();
    // The processes of a server that was killed may write for another moment.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The folders in which a server makes its own. */
export interface ClusterPlaces {
  readonly data?: string;
  /** Of its write-ahead log; among the data unless given. */
  readonly log?: string;
}

/** Makes the data of a new server for this process and those that it starts to copy. @returns their folder. */
export async function makeTemplate(): Promise<string> {
  const folder = await newCluster(await requirePostgresPrograms(), {});
  process.env['TEST_PG_CLUSTER'] = folder;
  return folder;
}

/** Removes what `makeTemplate` made. */
export async function removeTemplate(folder: string): Promise<void> {
  delete process.env['TEST_PG_CLUSTER'];
  await rm(folder, { recursive: true, force: true });
}

interface Launch {
  readonly port: number;
  readonly programs: string;
  readonly folder: string;
  readonly settings: PostgresSettings;
}

const DEFAULTS: PostgresSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  // Several test files at a time, each with replicas that have pools.
  max_connections: '300',
  shared_buffers: '32MB',
};

async function newCluster(programs: string, places: ClusterPlaces): Promise<string> {
  const user = serverUser();
  const newFolder = async (parent: string): Promise<string> => {
    const made = await mkdtemp(join(parent, 'jobgate-postgres-'));
    if (user.uid !== undefined && user.gid !== undefined) await chown(made, user.uid, user.gid);
    return made;
  };
  const folder = await newFolder(places.data ?? tmpdir());
  // A copy of what a new server has takes a tenth of the time that it takes to make that.
  const template = process.env['TEST_PG_CLUSTER'];
  if (template !== undefined && places.log === undefined) {
    await execute('cp', ['-a', `${template}/.`, folder], { cwd: folder, ...user });
    return folder;
  }
  const args = [
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    ...(places.log === undefined ? [] : [`--waldir=${await newFolder(places.log)}`]),
  ];
  await execute(join(programs, 'initdb'), ['-D', folder, ...args], { cwd: folder, ...user });
  return folder;
}

function isAbout(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && pattern.test(error.message);
}
