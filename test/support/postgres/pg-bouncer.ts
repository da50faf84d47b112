import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { guardAgainstOrphan } from '../orphan-guard.ts';
import { installWithoutService } from '../debian-package.ts';
import { installedProgram } from '../installed-program.ts';
import { isProgram } from '../program-on-path.ts';
import { freePort } from '../redis/free-port.ts';
import { serverUser } from './server-user.ts';

/** Where Debian keeps it, which is not on the PATH of every user. */
const USUAL_PLACE = '/usr/sbin/pgbouncer';

/** The program, installed first where possible. @throws Error that says what to do. */
export async function findPgBouncer(): Promise<string> {
  if (await isProgram(USUAL_PLACE)) return USUAL_PLACE;
  const install = (): Promise<boolean> => installWithoutService('pgbouncer', 'pgbouncer');
  const advice = 'No PgBouncer for the tests: install pgbouncer and put it on the PATH';
  return installedProgram(['pgbouncer'], install, advice);
}

/** A pooler in transaction mode before a server of this machine. */
export class PgBouncer {
  readonly uri: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(uri: string, child: ChildProcess, folder: string) {
    this.uri = uri;
    this.#child = child;
    this.#folder = folder;
  }

  /**
   * @param program PgBouncer itself.
   * @param server the port of the PostgreSQL server.
   * @throws Error when it does not start.
   */
  static async start(program: string, server: number): Promise<PgBouncer> {
    const folder = await mkdtemp(join(tmpdir(), 'jobgate-pgbouncer-'));
    const user = serverUser();
    if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
    const port = await freePort();
    const settings = join(folder, 'pgbouncer.ini');
    await writeFile(settings, settingsOf(port, server));
    const child = spawn(program, [settings], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      cwd: folder,
      ...user,
    });
    await once(child, 'spawn');
    const release = guardAgainstOrphan(child.pid as number, folder);
    child.once('exit', release);
    const bouncer = new PgBouncer(`postgres://postgres@127.0.0.1:${port}/postgres`, child, folder);
    await bouncer.#untilReady();
    return bouncer;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'exit');
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #untilReady(): Promise<void> {
    const lines: string[] = [];
    const ready = new Promise<void>((resolve) => {
      createInterface({ input: this.#child.stderr! }).on('line', (line) => {
        lines.push(line);
        if (line.includes('process up')) resolve();
      });
    });
    const failed = once(this.#child, 'exit').then(() => {
      throw new Error(`pgbouncer ended: ${lines.join('\n')}`);
    });
    await Promise.race([ready, failed]);
    failed.catch(() => undefined);
  }
}

/** Few connections to the server, so that clients do share them. */
function settingsOf(port: number, server: number): string {
  return `[databases]
postgres = host=127.0.0.1 port=${server} dbname=postgres user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 6
max_client_conn = 200
`;
}
