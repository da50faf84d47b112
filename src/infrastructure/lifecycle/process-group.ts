import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { quietTurn } from '../../adapters/inbound/http/server/quiet-turn.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';

/** Pause before a process that died is replaced, in milliseconds. */
const RESTART_PAUSE = 1000;

/** How much longer the processes wait for their port to be closed than it takes, in milliseconds. */
const DRAIN_MARGIN = 2000;

/** How long the supervisor looks for a moment in which no connection comes, in milliseconds. */
const HANDOVER_TIME = 500;

/**
 * The supervisor of several processes that serve behind one port (WEB_CONCURRENCY). It replaces those
 * that die and passes the wish to stop on to all; it serves nothing itself.
 */
export class ProcessGroup {
  readonly #size: number;
  readonly #drainTime: number;
  readonly #logger: LoggerPort;
  readonly #processes = new Set<Worker>();
  #stopping = false;
  #failed = false;
  #listening = 0;

  /** @param drainTime how long requests are still served after the signal to stop, in milliseconds */
  constructor(size: number, drainTime: number, logger: LoggerPort) {
    this.#size = size;
    this.#drainTime = drainTime;
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
        this.#processes.delete(process);
        if (this.#stopping) return;
        if (this.#listening < this.#size) {
          void this.stop().then(() => reject(new Error('A process exited before it was ready')));
        } else this.#replace(process);
      });
      for (let count = 0; count < this.#size; count += 1) this.#fork();
    });
  }

  /**
   * Has all processes drain, closes their port and lets them end.
   *
   * @returns false when a process had to give work up, or died of an error before.
   */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    const ended = Promise.all([...this.#processes].map((each) => this.#end(each)));
    // A process that still starts, and is let go, would wait for its port for ever.
    if (this.#listening >= this.#size) {
      await Promise.race([sleep(this.#drainTime), ended]);
      await this.#closePort();
    }
    await ended;
    return !this.#failed;
  }

  /** Ends all processes at once. */
  kill(): void {
    for (const each of this.#processes) each.process.kill('SIGKILL');
  }

  #fork(): void {
    const drainTime = this.#drainTime + DRAIN_MARGIN;
    this.#processes.add(cluster.fork({ DRAIN_TIME: String(drainTime) }));
  }

  #end(each: Worker): Promise<void> {
    return new Promise((resolve) => {
      each.once('exit', (code, signal) => {
        // Only a process that runs nothing yet lets the signal end it.
        if (code !== 0 && signal !== 'SIGTERM') this.#failed = true;
        resolve();
      });
      each.process.kill('SIGTERM');
    });
  }

  /**
   * The supervisor takes the connections, and a process gets the next one when it has taken the one before:
   * those that no process has got when the port closes are lost. So that happens right after a moment in
   * which there are none. Leaving all processes closes it at once; asking them to leave would take a while
   * in which no process accepts connections.
   */
  async #closePort(): Promise<void> {
    const latest = performance.now() + HANDOVER_TIME;
    do {
      await quietTurn();
    } while (holdsConnections() && performance.now() < latest);
    for (const each of this.#processes) {
      if (each.isConnected()) each.process.disconnect();
    }
  }

  #replace({ process }: Worker): void {
    this.#logger.error('A process died and is replaced', {
      pid: process.pid,
      code: process.exitCode,
      signal: process.signalCode,
    });
    setTimeout(() => {
      if (!this.#stopping) this.#fork();
    }, RESTART_PAUSE);
  }
}

/** Whether this process has connections, which all are for others. */
function holdsConnections(): boolean {
  return process.getActiveResourcesInfo().includes('TCPSocketWrap');
}
