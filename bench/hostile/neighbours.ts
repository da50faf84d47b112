import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Target } from '../load.ts';
import type { Waits } from './neighbours-process.ts';

const PROGRAM = fileURLToPath(new URL('neighbours-process.ts', import.meta.url));

/** Ordinary clients beside an attack, in a process of their own: what the attacker computes delays none of them. */
export class Neighbours {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Resolves once they send requests. */
  static async start(target: Target): Promise<Neighbours> {
    const child = fork(PROGRAM);
    child.send(target);
    await once(child, 'message');
    return new Neighbours(child);
  }

  /** Ends them and returns what they saw. */
  async end(): Promise<Waits> {
    const answer = once(this.#process, 'message');
    this.#process.send('end');
    const [waits] = (await answer) as [Waits];
    await once(this.#process, 'exit');
    return waits;
  }
}
