import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const INTERVAL = 50;

/** Memory of a process that is in use, in megabytes. @throws Error when there is no such process. */
function residentMegabytes(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status)
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Math.round(Number(kilobytes) / 1024);
}

/** Watches the memory of a process, in megabytes, until `end` is called or the process ends. */
export class MemoryWatch {
  readonly before: number;
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #peak: number;

  constructor(pid: number) {
    this.#pid = pid;
    this.before = this.now;
    this.#peak = this.before;
    this.#timer = setInterval(() => {
      try {
        this.#peak = this.peak;
      } catch {
        this.end();
      }
    }, INTERVAL);
  }

  get now(): number {
    return residentMegabytes(this.#pid);
  }

  get peak(): number {
    return Math.max(this.#peak, this.now);
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
