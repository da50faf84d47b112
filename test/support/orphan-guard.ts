import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Waits for the end of its input, which comes when the test run ends in whatever way. */
const SCRIPT = 'read -r _; kill -9 "$1"; [ -z "$2" ] || rm -rf -- "$2"';

/**
 * Sees to it that a process, and its folder if one is given, do not outlive this one, a kill -9 of
 * the test run included: no handler of our own would run then.
 *
 * @returns a function that ends the watch; call it as soon as the process has ended by itself, for
 * its id may be given to another one.
 */
export function guardAgainstOrphan(pid: number, folder: string | undefined): () => void {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'orphan-guard', String(pid), folder ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Its own process group, so that a Ctrl-C meant for the test run does not end the guard.
    detached: true,
  });
  guard.unref();
  // A pipe to a child is a socket, which would keep this process alive.
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return () => {
    guard.kill('SIGKILL');
  };
}
