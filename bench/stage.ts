import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { newJob, type JobInput } from '../src/domain/jobs/job.ts';
import { queueNamed } from '../test/support/queue-named.ts';
import { RedisServer } from '../test/support/redis/redis-server.ts';
import { redisReplica, TestConnections } from '../test/support/redis/redis-stores.ts';
import { local } from './load.ts';
import type { Costly } from './measure.ts';
import { costOf, ServerProcess } from './server-process.ts';
import { jobInput, registerWorker, removeWorker } from './service-calls.ts';

const BATCH = 10_000;
/** Milliseconds between two looks at the store. */
const INTERVAL = 5;

/** A service with a Redis of its own, so that what one case keeps there costs no other case anything. */
export class Stage {
  readonly service: ServerProcess;
  readonly store: Costly;
  readonly #server: RedisServer;
  readonly #connections: TestConnections<Redis>;
  readonly #queues: ReturnType<typeof redisReplica>['queues'];

  private constructor(
    server: RedisServer,
    connections: TestConnections<Redis>,
    service: ServerProcess,
  ) {
    this.service = service;
    this.store = costOf(server.pid);
    this.#server = server;
    this.#connections = connections;
    this.#queues = redisReplica(connections).queues;
  }

  static async start(): Promise<Stage> {
    const server = await RedisServer.start();
    const connections = await TestConnections.open(server.uri);
    return new Stage(server, connections, await ServerProcess.service({ STORE_URI: server.uri }));
  }

  /**
   * Has the store go before all other processes, since the times of its slow log include what it waits for a
   * processor. @returns false where the system does not allow it.
   */
  preferStore(): boolean {
    try {
      setPriority(this.#server.pid, constants.priority.PRIORITY_HIGHEST);
      return true;
    } catch {
      return false;
    }
  }

  /** Adds so many jobs past the service, which shall not grow from it. */
  async add(queue: string, count: number, opts: JobInput['opts'] = {}): Promise<void> {
    const job = newJob({ ...jobInput, opts }, '');
    for (let left = count; left > 0; left -= BATCH) {
      await this.#queues.add(queueNamed(queue), new Array(Math.min(left, BATCH)).fill(job));
    }
  }

  /** Adds these jobs past the service. */
  async addEach(queue: string, jobs: readonly JobInput[]): Promise<void> {
    await this.#queues.add(
      queueNamed(queue),
      jobs.map((job, index) => newJob(job, `[${index}]`)),
    );
  }

  waiting(queue: string): Promise<number> {
    return this.redis.llen(`bull:${queue}:wait`);
  }

  completed(queue: string): Promise<number> {
    return this.redis.zcard(`bull:${queue}:completed`);
  }

  /** @returns how many jobs the queue has completed, as soon as it is so many. */
  async untilCompleted(queue: string, least: number): Promise<number> {
    for (;;) {
      const completed = await this.completed(queue);
      if (completed >= least) return completed;
      await sleep(INTERVAL);
    }
  }

  async startWorker(queue: string, url: string, concurrency: number): Promise<void> {
    await registerWorker(local(this.service), { queue, url, concurrency });
  }

  /** Removes the worker and waits for its calls. */
  async stopWorker(queue: string): Promise<void> {
    await removeWorker(local(this.service), queue);
    while ((await this.redis.llen(`bull:${queue}:active`)) > 0) await sleep(INTERVAL);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    this.#connections.close();
    await this.#server.stop();
  }

  /** The store of the service. */
  get redis(): Redis {
    return this.#connections.commands;
  }
}
