import cluster, { type Worker } from 'node:cluster';
import type { LoggerPort } from '../../application/ports/logger-port.ts';

/** Pause before a process that died is replaced, in milliseconds. */
const RESTART_PAUSE = 1000;

/**
 * The supervisor of several processes that serve behind one port (WEB_CONCURRENCY). It replaces those
 * that die and passes the wish to stop on to all; it serves nothing itself.
 */
export class ProcessGroup {
  readonly #size: number;
  readonly #logger: LoggerPort;
  #stopping = false;
  #failed = false;
  #listening = 0;

  constructor(size: number, logger: LoggerPort) {
    this.#size = size;
    this.#logger = logger;
  }

  /**
   * Starts all processes. Resolves to their port when all listen, and never when they are stopped before.
   *
   * @throws Error when one of them cannot start.
   */
  start(): Promise<number> {
    return new Promise((resolve, reject) => {
      cluster.on('listening', (_process, { port }) => {
        this.#listening += 1;
        if (this.#listening === this.#size && !this.#stopping) resolve(port);
      });
      cluster.on('exit', (process) => {
        if (this.#stopping) return;
        if (this.#listening < this.#size) {
          void this.stop().then(() => reject(new Error('A process ended before it served')));
        } else this.#replace(process);
      });
      for (let count = 0; count < this.#size; count += 1) cluster.fork();
    });
  }

  /** @returns false when a process had to give work up, or died of an error before. */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    const ended = this.#processes().map(
      (each) =>
        new Promise<void>((resolve) => {
          each.once('exit', (code, signal) => {
            // Only a process that runs nothing yet lets the signal end it.
            if (code !== 0 && signal !== 'SIGTERM') this.#failed = true;
            resolve();
          });
          each.process.kill('SIGTERM');
        }),
    );
    await Promise.all(ended);
    return !this.#failed;
  }

  /** Ends all processes at once. */
  kill(): void {
    for (const each of this.#processes()) each.process.kill('SIGKILL');
  }

  #processes(): readonly Worker[] {
    return Object.values(cluster.workers ?? {}).filter((each) => each !== undefined);
  }

  #replace({ process }: Worker): void {
    this.#logger.error('A process died and is replaced', {
      pid: process.pid,
      code: process.exitCode,
      signal: process.signalCode,
    });
    setTimeout(() => {
      if (!this.#stopping) cluster.fork();
    }, RESTART_PAUSE);
  }
}
