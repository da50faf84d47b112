import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../test/support/eventually.ts';
import { freePort } from '../test/support/redis/free-port.ts';
import { guardAgainstOrphan } from '../test/support/orphan-guard.ts';

/** An nginx with one worker process that answers every request at once with the same bytes. */
export class NginxEndpoint {
  readonly name = 'nginx with one worker process';
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #guard: () => void;

  private constructor(
    process: ChildProcess,
    folder: string,
    readonly port: number,
  ) {
    this.#process = process;
    this.#folder = folder;
    this.#guard = guardAgainstOrphan(process.pid ?? 0, folder);
  }

  /** @returns undefined when nginx is not on the PATH. */
  static async start(): Promise<NginxEndpoint | undefined> {
    const folder = mkdtempSync(join(tmpdir(), 'jobgate-bench-nginx-'));
    const port = await freePort();
    writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port));
    const child = spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', 'nginx.conf'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      await once(child, 'spawn');
    } catch (error) {
      rmSync(folder, { recursive: true });
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const endpoint = new NginxEndpoint(child, folder, port);
    await eventually('nginx answers', async () => {
      if (child.exitCode !== null) throw new Error('nginx ended before it answered');
      return fetch(`http://127.0.0.1:${port}/`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return endpoint;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
    this.#guard();
    rmSync(this.#folder, { recursive: true });
  }
}

/** Connections are never closed by the server, so that no contender has to open any while it is measured. */
function configuration(folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      default_type application/json;
      return 200 '{"ok":true}';
    }
  }
}
`;
}
