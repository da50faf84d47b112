import { readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';

/**
 * A process, so that another one on the same machine recognizes whether it still runs although its number may be given
 * again. Numbers mean something within one namespace (container) of one boot of the machine.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the units of the machine. */
  readonly started: string;
  readonly boot: string;
  readonly namespace: string;
}

/** @returns undefined on machines that do not report it. */
export function ownIdentity(): ProcessIdentity | undefined {
  try {
    return { pid: process.pid, started: startOf('self'), ...surroundings() };
  } catch {
    return undefined;
  }
}

/** @returns undefined if it cannot be known from here: on another machine or in another container. */
export function isRunning(other: ProcessIdentity): boolean | undefined {
  try {
    const { boot, namespace } = surroundings();
    if (boot !== other.boot || namespace !== other.namespace) return undefined;
  } catch {
    return undefined;
  }
  try {
    return startOf(String(other.pid)) === other.started;
  } catch {
    return false;
  }
}

function surroundings(): Pick<ProcessIdentity, 'boot' | 'namespace'> {
  return {
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(),
    namespace: readlinkSync('/proc/self/ns/pid'),
  };
}

/** The 22nd field, counted after the name of the program, which may contain anything. */
function startOf(pid: string): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A process that was killed and that its parent has not noticed yet.
  if (state === 'Z' || state === 'X') throw new Error(`Process ${pid} has ended`);
  return String(fields[18]);
}
