import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../test/support/eventually.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { ContainerEngine } from './container-engine.ts';

/** It needs neither rules of a firewall nor a bridge, which a machine may not allow: containers use the host's network. */
const OPTIONS = ['--storage-driver=overlay2', '--iptables=false', '--bridge=none'];

/** A container engine of our own, which ends with all that it keeps. */
export class EngineDaemon {
  readonly engine: ContainerEngine;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(engine: ContainerEngine, child: ChildProcess, folder: string) {
    this.engine = engine;
    this.#process = child;
    this.#folder = folder;
  }

  /** @throws Error when it does not answer within half a minute, as without root or without `dockerd`. */
  static async start(): Promise<EngineDaemon> {
    const folder = await mkdtemp(join(tmpdir(), 'jobgate-engine-'));
    const places = ['data-root', 'exec-root', 'pidfile'].map(
      (name) => `--${name}=${join(folder, name)}`,
    );
    const child = spawn('dockerd', [...OPTIONS, ...places], { stdio: 'ignore' });
    const failed = new Promise<never>((_, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`dockerd ended with ${code}`)));
    });
    // Its end, when it is stopped, is no failure any more.
    failed.catch(() => undefined);
    const answering = eventually('dockerd answers', () => ContainerEngine.running(), 30_000);
    const engine = await Promise.race([answering, failed]);
    return new EngineDaemon(engine, child, folder);
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
    // The network of the host, which it mounts there for containers and leaves mounted.
    await runCommand('umount', [join(this.#folder, 'exec-root/netns/default')]);
    await rm(this.#folder, { recursive: true, force: true });
  }
}
