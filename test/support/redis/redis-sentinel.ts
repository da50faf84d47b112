import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '../eventually.ts';
import { freePort } from './free-port.ts';
import { requireRedisBinary } from './redis-binary.ts';
import { guardAgainstOrphan } from '../orphan-guard.ts';

export interface SentinelOptions {
  /** How many sentinels must agree that the master is down; 1 if not given. */
  readonly quorum?: number;
  /** How long the master may give no answer, in milliseconds; Redis' own default if not given. */
  readonly downAfter?: number;
}

/** A sentinel that watches one master and fails over when it is asked to, or the master is down. */
export class RedisSentinel {
  static readonly masterName = 'main';

  readonly port: number;
  readonly #client: Redis;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, process: ChildProcess, folder: string) {
    this.port = port;
    this.#process = process;
    this.#folder = folder;
    this.#client = new Redis(port, '127.0.0.1');
    // It is asked while it still starts: the client tries again by itself.
    this.#client.on('error', () => undefined);
  }

  /** Resolves when it knows the master and that many replicas of it. */
  static async start(
    masterPort: number,
    replicas: number,
    { quorum = 1, downAfter }: SentinelOptions = {},
  ): Promise<RedisSentinel> {
    const binary = await requireRedisBinary();
    const folder = await mkdtemp(join(tmpdir(), 'jobgate-sentinel-'));
    const port = await freePort();
    const name = RedisSentinel.masterName;
    const settings = [
      `port ${String(port)}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor ${name} 127.0.0.1 ${String(masterPort)} ${String(quorum)}`,
      ...(downAfter === undefined
        ? []
        : [`sentinel down-after-milliseconds ${name} ${String(downAfter)}`]),
    ];
    const file = join(folder, 'sentinel.conf');
    await writeFile(file, `${settings.join('\n')}\n`);
    const child = spawn(binary, [file, '--sentinel'], { stdio: 'ignore', detached: true });
    await once(child, 'spawn');
    child.once('exit', guardAgainstOrphan(child.pid!, folder));
    child.unref();
    const sentinel = new RedisSentinel(port, child, folder);
    await eventually('the sentinel knows the replicas', async () => {
      const known = (await sentinel.#client.call('SENTINEL', 'REPLICAS', name)) as unknown[];
      return known.length === replicas;
    });
    return sentinel;
  }

  /** Resolves when it knows that many other sentinels of the same master. */
  async knowsOthers(count: number): Promise<void> {
    await eventually('the sentinel knows the others', async () => {
      const others = await this.#client.call('SENTINEL', 'SENTINELS', RedisSentinel.masterName);
      return (others as unknown[]).length === count;
    });
  }

  /** Makes a replica the master. Resolves when it is. */
  async failOver(): Promise<void> {
    const name = RedisSentinel.masterName;
    const master = () => this.#client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
    const before = String(await master());
    // It refuses while what it knows of the replicas is not recent.
    await eventually('the sentinel fails over', () =>
      this.#client.call('SENTINEL', 'FAILOVER', name).catch((error: unknown) => {
        if (!String(error).includes('NOGOODSLAVE')) throw error;
      }),
    );
    await eventually('another master is chosen', async () => String(await master()) !== before);
  }

  async stop(): Promise<void> {
    this.#client.disconnect();
    this.#process.ref();
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
