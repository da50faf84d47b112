import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { quietTurn } from '../../adapters/inbound/http/server/quiet-turn.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';

/** Pause (ms) before a process that died is replaced. */
const RESTART_PAUSE = 1000;

/** How much longer (ms) the processes wait for their port to be closed than closing takes. */
const DRAIN_MARGIN = 2000;

/** How long (ms) the supervisor waits for a moment without new connections. */
const HANDOVER_TIME = 500;

/**
 * The supervisor of several processes that serve the same port (WEB_CONCURRENCY). It replaces processes that die and
 * passes stop requests on to all; it serves no requests itself.
 */
export class ProcessGroup {
  readonly #size: number;
  readonly #drainTime: number;
  readonly #logger: LoggerPort;
  readonly #processes = new Set<Worker>();
  #stopping = false;
  #failed = false;
  #listening = 0;

  /** @param drainTime how long (ms) requests are still served after the stop signal. */
  constructor(size: number, drainTime: number, logger: LoggerPort) {
    this.#size = size;
    this.#drainTime = drainTime;
    this.#logger = logger;
  }

  /**
   * Starts all processes. Resolves to their port once all are listening, and never if they are stopped before.
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
          void this.stop('SIGTERM').then(() =>
            reject(new Error('A process exited before it was ready')),
          );
        } else this.#replace(process);
      });
      for (let count = 0; count < this.#size; count += 1) this.#fork();
    });
  }

  /**
   * Lets all processes drain, closes their port and lets them exit.
   *
   * @param signal which asks for it; each process gets the same.
   * @returns false when a process had to abandon work, or had died of an error.
   */
  async stop(signal: NodeJS.Signals): Promise<boolean> {
    this.#stopping = true;
    const ended = Promise.all([...this.#processes].map((each) => this.#end(each, signal)));
    // A process that is still starting when it is disconnected would wait for its port forever.
    if (this.#listening >= this.#size) {
      await Promise.race([sleep(this.#drainTime), ended]);
      await this.#closePort();
    }
    await ended;
    return !this.#failed;
  }

  /** Kills all processes at once. */
  kill(): void {
    for (const each of this.#processes) each.process.kill('SIGKILL');
  }

  #fork(): void {
    const drainTime = this.#drainTime + DRAIN_MARGIN;
    this.#processes.add(cluster.fork({ DRAIN_TIME: String(drainTime) }));
  }

  #end(each: Worker, signal: NodeJS.Signals): Promise<void> {
    return new Promise((resolve) => {
      each.once('exit', (code, endedBy) => {
        // Only a process that is not running anything yet exits on the signal.
        if (code !== 0 && endedBy !== signal) this.#failed = true;
        resolve();
      });
      each.process.kill(signal);
    });
  }

  /**
   * The port closes when the last process is disconnected, and what the system has accepted until then, and no process
   * has got, is reset. Therefore processes are disconnected right after a moment without new connections, and the last
   * one apart from the others: the code runs for the first time, and slowly, while that one is still served. Asking the
   * processes to disconnect instead would take a while in which none of them accepts connections.
   */
  async #closePort(): Promise<void> {
    const latest = performance.now() + HANDOVER_TIME;
    const [last, ...others] = this.#processes;
    for (const processes of [others, last === undefined ? [] : [last]]) {
      await untilAllAreHandedOver(latest);
      for (const each of processes) {
        if (each.isConnected()) each.process.disconnect();
      }
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

/** The supervisor hands the next connection to a process when it has accepted the previous one. */
async function untilAllAreHandedOver(latest: number): Promise<void> {
  do {
    await quietTurn(heldConnections);
  } while (heldConnections() > 0 && performance.now() < latest);
}

/** How many connections this process holds, all of which are meant for others. */
function heldConnections(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}
