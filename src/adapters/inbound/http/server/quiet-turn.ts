import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** The longest turn of the event loop that counts as quiet, in milliseconds. */
const QUIET = 0.1;

/**
 * The pause between two tries, in milliseconds. A process that has just slept is the least likely to be interrupted.
 */
const PAUSE = 3;

/** How long to wait for a quiet turn, in milliseconds. */
const PATIENCE = 500;

/**
 * Resolves right after a turn of the event loop in which no connection came and next to nothing else happened. All
 * connections and requests up to then have been taken: when a port closes, the system resets the connections that no
 * process has taken. A short turn alone is no proof: each turn takes one connection only, and others may stand behind.
 *
 * @param connections a count that changes whenever a connection comes
 */
export async function quietTurn(connections: () => number): Promise<void> {
  const latest = performance.now() + PATIENCE;
  for (;;) {
    await sleep(PAUSE);
    const [came, before] = [connections(), performance.now()];
    await setImmediate();
    const now = performance.now();
    if ((now - before < QUIET && connections() === came) || now > latest) return;
  }
}
