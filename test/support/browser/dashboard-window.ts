import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from './browser.ts';
import type { Page } from './page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How long a page may take to show something, in milliseconds. */
const PATIENCE = 20_000;

interface LogEntry {
  readonly entry: { readonly source: string; readonly level: string; readonly text: string };
}

/** A window with the dashboard, used as a person does. */
export class DashboardWindow {
  /** Errors, broken policies, and requests to other sites. */
  readonly problems: string[] = [];
  readonly #page: Page;
  readonly #url: string;

  private constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
  }

  /** @param url of the service, as the browser reaches it. */
  static async open(browser: Browser, url: string): Promise<DashboardWindow> {
    const page = await browser.open('about:blank');
    const window = new DashboardWindow(page, url);
    page.listen((method, params) => {
      window.#note(method, params);
    });
    for (const domain of ['Runtime', 'Log', 'Network']) await page.call(`${domain}.enable`);
    await page.call('Network.clearBrowserCookies');
    return window;
  }

  async signIn(token: string): Promise<void> {
    await this.goTo('/dashboard', '#token');
    await this.type('#token', token);
    await this.click('form button');
    await this.waitFor(`document.querySelector('nav[aria-label="Pages"]') !== null`);
  }

  /** Opens a page by its address, and waits until it shows something. */
  async goTo(path: string, selector = 'main h1'): Promise<void> {
    await this.#page.call('Page.navigate', { url: `${this.#url}${path}` });
    await this.waitFor(
      `location.href === ${quoted(this.#url + path)} && document.querySelector(${quoted(selector)}) !== null`,
    );
  }

  /** Resolves when the expression is true. @throws Error with what the page shows instead. */
  async waitFor(expression: string): Promise<void> {
    const end = performance.now() + PATIENCE;
    while (performance.now() < end) {
      if (await this.#page.evaluate<boolean>(`!!(${expression})`)) return;
      await sleep(30);
    }
    const shown = await this.read<string>('location.href + document.body.innerText');
    throw new Error(`Not in time: ${expression}\n${shown}`);
  }

  read<T>(expression: string): Promise<T> {
    return this.#page.evaluate<T>(expression);
  }

  text(selector = 'body'): Promise<string> {
    return this.read(`document.querySelector(${quoted(selector)}).innerText`);
  }

  async type(selector: string, text: string): Promise<void> {
    await this.read(`document.querySelector(${quoted(selector)}).focus()`);
    await this.#page.call('Input.insertText', { text });
  }

  /** Clicks what the selector finds, or the button or link with that text. */
  async click(selector: string, text?: string): Promise<void> {
    const found = `[...document.querySelectorAll(${quoted(selector)})].find((each) => ${
      text === undefined ? 'true' : `each.innerText.trim().startsWith(${quoted(text)})`
    })`;
    await this.waitFor(`${found} !== undefined`);
    await this.read(`${found}.click()`);
  }

  /** Presses a key, such as `j` or `Enter`. */
  async press(key: string): Promise<void> {
    const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
    const code = key === 'Enter' ? 13 : key === 'Tab' ? 9 : key === 'Escape' ? 27 : undefined;
    const event = { key, ...(text && { text }), ...(code && { windowsVirtualKeyCode: code }) };
    await this.#page.call('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.#page.call('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  async resize(width: number, theme: 'light' | 'dark'): Promise<void> {
    const metrics = { width, height: 800, deviceScaleFactor: 1, mobile: false };
    await this.#page.call('Emulation.setDeviceMetricsOverride', metrics);
    const features = [{ name: 'prefers-color-scheme', value: theme }];
    await this.#page.call('Emulation.setEmulatedMedia', { features });
  }

  /** What axe finds that keeps people from using the page. */
  async barriers(): Promise<readonly string[]> {
    await this.#page.evaluate(`if (typeof axe === 'undefined') { ${AXE} }`);
    return this.#page.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary).join(' | ')))`,
    );
  }

  /** A picture of what is seen. */
  async picture(): Promise<Buffer> {
    const { data } = (await this.#page.call('Page.captureScreenshot', { format: 'png' })) as {
      data: string;
    };
    return Buffer.from(data, 'base64');
  }

  async close(): Promise<void> {
    await this.#page.close();
  }

  #note(method: string, params: unknown): void {
    if (method === 'Runtime.exceptionThrown') this.problems.push(JSON.stringify(params));
    if (method === 'Log.entryAdded') {
      const { source, level, text } = (params as LogEntry).entry;
      // Statuses of answers are what tests are about.
      if (level === 'error' && source !== 'network') this.problems.push(`${source}: ${text}`);
    }
    if (method === 'Network.requestWillBeSent') {
      const { url } = (params as { request: { url: string } }).request;
      if (!url.startsWith(new URL(this.#url).origin) && !/^(?:data|about):/.test(url)) {
        this.problems.push(`asks for ${url}`);
      }
    }
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
