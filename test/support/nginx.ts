import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installWithoutService } from './debian-package.ts';
import { text } from './deployment-files.ts';
import { eventually } from './eventually.ts';
import { installedProgram } from './installed-program.ts';
import { guardAgainstOrphan } from './orphan-guard.ts';
import { freePort } from './redis/free-port.ts';

/** nginx as deploy/nginx.conf sets it up, in front of replicas on the loopback interface. */
export class Nginx {
  readonly origin: string;
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #guard: () => void;

  private constructor(process: ChildProcess, folder: string, port: number) {
    this.#process = process;
    this.#folder = folder;
    this.#guard = guardAgainstOrphan(process.pid!, folder);
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** @throws Error that says what to do when nginx is not on the PATH and cannot be installed. */
  static async start(replicas: readonly number[]): Promise<Nginx> {
    const program = await installedProgram(
      ['nginx'],
      () => installWithoutService('nginx', 'nginx'),
      'No nginx for the tests: install nginx and put it on the PATH',
    );
    const folder = mkdtempSync(join(tmpdir(), 'jobgate-nginx-'));
    const port = await freePort();
    writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, replicas));
    const log = openSync(join(folder, 'error.log'), 'a');
    const child = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-g', 'daemon off;'], {
      stdio: ['ignore', 'ignore', log],
    });
    await once(child, 'spawn');
    const nginx = new Nginx(child, folder, port);
    await eventually('nginx answers', async () => {
      if (child.exitCode !== null) throw new Error(`nginx ended: ${nginx.log}`);
      return fetch(`${nginx.origin}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return nginx;
  }

  /** What it has complained about. */
  get log(): string {
    return readFileSync(join(this.#folder, 'error.log'), 'utf8');
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
    this.#guard();
  }
}

/** The configuration that users get; only where things are is another place. */
function configuration(folder: string, port: number, replicas: readonly number[]): string {
  const upstream = /^ *server jobgate:8080 resolve (.*);$/m;
  const [line = '', parameters = ''] = upstream.exec(text('deploy/nginx.conf')) ?? [];
  const servers = replicas.map((each) => `server 127.0.0.1:${each} ${parameters};`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return text('deploy/nginx.conf')
    .replace(line, servers.join('\n'))
    .replace(/^ *resolver .*;$/m, folders.join('\n'))
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace('events {', `pid ${folder}/nginx.pid;\nevents {`);
}
