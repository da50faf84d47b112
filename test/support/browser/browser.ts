import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { guardAgainstOrphan } from '../orphan-guard.ts';
import { requireChromium } from './chromium-binary.ts';
import { DevTools } from './devtools.ts';
import { Page } from './page.ts';

/** Its pages are the tests' own, so it needs no sandbox, which root and containers do not have. */
const SETTINGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

/** A Chromium without windows. It ends with the test run, however that ends. */
export class Browser {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #tools: DevTools;

  private constructor(child: ChildProcess, folder: string, tools: DevTools) {
    this.#process = child;
    this.#folder = folder;
    this.#tools = tools;
  }

  /** @throws Error that says what to install, or with what the browser printed when it ended instead. */
  static async start(): Promise<Browser> {
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
    child.once('exit', guardAgainstOrphan(child.pid as number, folder));
    const url = await devToolsOf(child);
    return new Browser(child, folder, await DevTools.connect(url));
  }

  /** Resolves when the page is loaded. */
  async open(url: string): Promise<Page> {
    return Page.open(this.#tools, url);
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    void this.#tools.call('Browser.close', {}).catch(() => undefined);
    await ended;
    // Its helpers end a moment later than the browser.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
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
