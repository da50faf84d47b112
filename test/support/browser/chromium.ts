import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { guardAgainstOrphan } from '../orphan-guard.ts';
import type { FoundServer } from '../server-session.ts';
import { requireChromium } from './chromium-binary.ts';

/** Its pages are the tests' own, so it needs no sandbox, which root and containers do not have. */
const SETTINGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-startup-window',
];

/**
 * A Chromium without windows, by the address of its DevTools. It ends with the test run, however that ends.
 *
 * @throws Error that says what to install, or with what the browser printed when it ended instead.
 */
export async function startChromium(): Promise<FoundServer> {
  const binary = await requireChromium();
  const folder = mkdtempSync(join(tmpdir(), 'jobgate-browser-'));
  const child = spawn(
    binary,
    [...SETTINGS, '--no-first-run', `--user-data-dir=${folder}`, '--remote-debugging-port=0'],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  try {
    await once(child, 'spawn');
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw new Error(`The browser ${binary} could not be started`, { cause: error });
  }
  const ended = once(child, 'exit');
  child.once('exit', guardAgainstOrphan(child.pid as number, folder));
  return {
    uri: await devToolsOf(child),
    origin: binary,
    stop: async () => {
      child.kill();
      await ended;
      // Its helpers end a moment later than the browser.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function devToolsOf({ stderr, spawnfile }: ChildProcess): Promise<string> {
  let printed = '';
  for await (const line of createInterface({ input: stderr! })) {
    const url = /^DevTools listening on (ws:.+)$/.exec(line)?.[1];
    if (url !== undefined) {
      stderr!.resume();
      return url;
    }
    printed += `${line}\n`;
  }
  throw new Error(`${spawnfile} ended: ${printed}`);
}
