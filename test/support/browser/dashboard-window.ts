import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from './browser.ts';
import { FAINT_TEXTS } from './faint-texts.ts';
import type { Page } from './page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** How long a page may take to show something, in milliseconds. */
const PATIENCE = 20_000;

interface LogEntry {
  readonly entry: { readonly source: string; readonly level: string; readonly text: string };
}

/** What a page costs. */
export interface Usage {
  /** When it was measured. */
  readonly seconds: number;
  readonly scriptSeconds: number;
  readonly heapBytes: number;
  /** Messages of event streams that it got. */
  readonly messages: number;
}

/** A window with the dashboard, used as a person does. */
export class DashboardWindow {
  /** Errors, broken policies, and requests to other sites. */
  readonly problems: string[] = [];
  readonly #page: Page;
  readonly #url: string;
  #messages = 0;

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
    // Script time of the page's own thread: what other programs take is not its own.
    await page.call('Performance.enable', { timeDomain: 'threadTicks' });
    return window;
  }

  /** Opens a session, and the start page with it. */
  async signIn(token: string): Promise<void> {
    await this.openSession(token);
    await this.goTo('/dashboard', 'nav[aria-label="Pages"]');
  }

  /** Opens a session without the form of the dashboard, which one test fills in for all. */
  async openSession(token: string): Promise<void> {
    const headers = { Authorization: `Bearer ${token}` };
    const { headers: answered } = await fetch(`${this.#url}/sessions`, { method: 'POST', headers });
    const [, name, value] = /^([^=]+)=([^;]+)/.exec(answered.get('set-cookie') ?? '') ?? [];
    await this.#page.call('Network.setCookie', { name, value, url: this.#url, path: '/' });
  }

  /** Opens a page by its address, and waits until it shows something. */
  async goTo(path: string, selector = 'main h1'): Promise<void> {
    await this.#page.navigate(`${this.#url}${path}`);
    await this.waitFor(
      `document.querySelector(${quoted(selector)}) !== null && document.querySelector('.unsettled') === null`,
    );
    // What a page does once it is drawn, such as listening to keys, begins after its first frame.
    await this.read(
      'new Promise((drawn) => requestAnimationFrame(() => setTimeout(() => setTimeout(drawn))))',
    );
  }

  /** Resolves when the expression is true, which may throw before. @throws Error with what the page shows instead. */
  async waitFor(expression: string): Promise<void> {
    const attempt = `(() => { try { return !!(${expression}); } catch { return false; } })()`;
    const end = performance.now() + PATIENCE;
    while (performance.now() < end) {
      // A document that goes away has no answer.
      if (await this.#page.evaluate<boolean>(attempt).catch(() => false)) return;
      await sleep(30);
    }
    const shown = await this.read<string>('location.href + document.body.innerText');
    throw new Error(`Not in time: ${expression}\n${shown}`);
  }

  /** Resolves with how long it takes in the page until the expression is true there, in milliseconds. */
  timeUntil(expression: string): Promise<number> {
    return this.read(
      `new Promise((resolve) => { const start = performance.now(); const look = () => (${expression}) ? resolve(performance.now() - start) : setTimeout(look, 10); look(); })`,
    );
  }

  /**
   * Opens a page, and returns the seconds of script that it takes until so many elements are found. They are looked for
   * from outside: looking by a script would count too.
   */
  async scriptUntil(path: string, selector: string, count: number): Promise<number> {
    await this.#page.navigate(`${this.#url}${path}`);
    const end = performance.now() + PATIENCE;
    while ((await this.#page.count(selector)) !== count) {
      if (performance.now() > end) throw new Error(`Not in time: ${count} of ${selector}`);
      await sleep(30);
    }
    return (await this.usage()).scriptSeconds;
  }

  read<T>(expression: string): Promise<T> {
    return this.#page.evaluate<T>(expression);
  }

  text(selector = 'body'): Promise<string> {
    return this.read(`document.querySelector(${quoted(selector)}).innerText`);
  }

  async type(selector: string, text: string): Promise<void> {
    const field = await this.#field(selector);
    await this.read(`${field}.focus()`);
    await this.#page.call('Input.insertText', { text });
    await this.waitFor(`${field} === null || ${field}.value.includes(${quoted(text)})`);
  }

  /** A field that may be typed into: a dialog takes the focus when it opens. */
  async #field(selector: string): Promise<string> {
    const field = `document.querySelector(${quoted(selector)})`;
    await this.waitFor(`${field} !== null && ${field}.closest('dialog')?.open !== false`);
    return field;
  }

  /** Clicks what the selector finds, or the button or link with that text, once it is there and enabled. */
  async click(selector: string, text?: string): Promise<void> {
    const found = `[...document.querySelectorAll(${quoted(selector)})].find((each) => !each.disabled && ${
      text === undefined ? 'true' : `each.innerText.trim().startsWith(${quoted(text)})`
    })`;
    await this.waitFor(`((element) => { element?.click(); return element; })(${found})`);
  }

  /** Types in place of what a field has. */
  async replace(selector: string, text: string): Promise<void> {
    await this.read(`${await this.#field(selector)}.select()`);
    await this.type(selector, text);
  }

  /** Chooses an option of the field with that label. */
  async choose(label: string, option: string): Promise<void> {
    const labels = `[...document.querySelectorAll('label')]`;
    const found = `${labels}.find((each) => each.innerText.startsWith(${quoted(label)}))`;
    await this.waitFor(`${found} !== undefined`);
    await this.read(
      `{ const field = ${found}.querySelector('select'); field.value = ${quoted(option)}; field.dispatchEvent(new Event('change', { bubbles: true })); }`,
    );
  }

  /** Drags with the mouse from left to right over the middle half of an element. */
  async drag(selector: string): Promise<void> {
    const [x, y, width] = await this.read<[number, number, number]>(
      `(() => { const element = document.querySelector(${quoted(selector)}); element.scrollIntoView({ block: 'center' }); const { x, y, width, height } = element.getBoundingClientRect(); return [x, y + height / 2, width]; })()`,
    );
    const steps = [
      ['mouseMoved', 0.25, 0],
      ['mousePressed', 0.25, 1],
      ['mouseMoved', 0.5, 1],
      ['mouseMoved', 0.75, 1],
      ['mouseReleased', 0.75, 0],
    ] as const;
    for (const [type, at, buttons] of steps) {
      const button = type === 'mouseMoved' && buttons === 0 ? 'none' : 'left';
      const event = { type, x: x + width * at, y, button, buttons, clickCount: 1 };
      await this.#page.call('Input.dispatchMouseEvent', event);
    }
  }

  /** The clock of the pages that are opened from then on is that many milliseconds ahead. */
  async shiftClock(ahead: number): Promise<void> {
    await this.prepare(`{ const { now } = Date; Date.now = () => now() + ${ahead}; }`);
  }

  /** Runs a script in the pages that are opened from then on, before their own. */
  async prepare(source: string): Promise<void> {
    await this.#page.call('Page.addScriptToEvaluateOnNewDocument', { source });
  }

  /**
   * Changes answers of the API in the pages that are opened from then on.
   *
   * @param urls which requests it applies to.
   * @param change source of a function from the answer and the URL of its request to another answer.
   */
  async changeAnswers(urls: RegExp, change: string): Promise<void> {
    await this.prepare(`{
      const { fetch } = globalThis;
      const change = ${change};
      globalThis.fetch = async (...call) => {
        const response = await fetch(...call);
        const url = String(call[0]);
        return ${urls}.test(url) ? Response.json(change(await response.json(), url)) : response;
      };
    }`);
  }

  /** Texts whose contrast is below 4.5 : 1, placeholders and what is selected included. */
  faintTexts(): Promise<readonly string[]> {
    return this.#page.evaluate(FAINT_TEXTS);
  }

  /** Presses a key, such as `j` or `Enter`. */
  async press(key: string): Promise<void> {
    const text = key === 'Enter' ? '\r' : key.length === 1 ? key : undefined;
    const code = key === 'Enter' ? 13 : key === 'Tab' ? 9 : key === 'Escape' ? 27 : undefined;
    const event = { key, ...(text && { text }), ...(code && { windowsVirtualKeyCode: code }) };
    await this.#page.call('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.#page.call('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  async resize(width: number, theme: 'light' | 'dark', height = 800): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await this.#page.call('Emulation.setDeviceMetricsOverride', metrics);
    const features = [
      { name: 'prefers-color-scheme', value: theme },
      // A picture of an animation would depend on its moment.
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ];
    await this.#page.call('Emulation.setEmulatedMedia', { features });
  }

  /** Emulates a feature that people choose in their system, such as colours of their own. */
  async prefer(name: string, value: string): Promise<void> {
    await this.#page.call('Emulation.setEmulatedMedia', { features: [{ name, value }] });
  }

  /** Opens a page in a browser that runs no scripts of pages. */
  async openWithoutScripts(path: string): Promise<void> {
    await this.#page.call('Emulation.setScriptExecutionDisabled', { value: true });
    await this.#page.navigate(`${this.#url}${path}`);
  }

  /** Opens a page and lets through only its first requests, that for the document included: no other is answered. */
  async openWithRequests(path: string, answered: number): Promise<void> {
    let asked = 0;
    await this.#pauseRequests('*', (requestId) => {
      asked += 1;
      if (asked <= answered) void this.#page.call('Fetch.continueRequest', { requestId });
    });
    await this.#page.call('Page.navigate', { url: `${this.#url}${path}` });
  }

  /** Answers the next request whose address has this part as a proxy does whose service is away. */
  async failNext(part: string): Promise<void> {
    let hasFailed = false;
    await this.#pauseRequests(`*${part}*`, (requestId) => {
      if (hasFailed) {
        void this.#page.call('Fetch.continueRequest', { requestId });
        return;
      }
      hasFailed = true;
      const body = Buffer.from('<html><title>502 Bad Gateway</title></html>').toString('base64');
      const responseHeaders = [{ name: 'Content-Type', value: 'text/html' }];
      const answer = { requestId, responseCode: 502, responseHeaders, body };
      void this.#page.call('Fetch.fulfillRequest', answer);
    });
  }

  /** What axe finds that keeps people from using the page. @param rules the only ones that are checked. */
  async barriers(rules?: readonly string[]): Promise<readonly string[]> {
    const options = {
      resultTypes: ['violations'],
      // axe leaves it out by default: it is new in WCAG 2.2.
      rules: { 'target-size': { enabled: true } },
      ...(rules && { runOnly: rules }),
    };
    await this.#page.evaluate(`if (typeof axe === 'undefined') { ${AXE} }`);
    return this.#page.evaluate(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary).join(' | ')))`,
    );
  }

  /** What the page has cost since it was opened; its heap after garbage is collected. */
  async usage(): Promise<Usage> {
    await this.#page.call('HeapProfiler.collectGarbage');
    const { metrics } = (await this.#page.call('Performance.getMetrics')) as {
      metrics: readonly { readonly name: string; readonly value: number }[];
    };
    const metric = (wanted: string): number =>
      metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
    return {
      seconds: metric('Timestamp'),
      scriptSeconds: metric('ScriptDuration'),
      heapBytes: metric('JSHeapUsedSize'),
      messages: this.#messages,
    };
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

  /** Pauses each request for such an address, and hands over its id. */
  async #pauseRequests(urlPattern: string, paused: (requestId: string) => void): Promise<void> {
    this.#page.listen((method, params) => {
      if (method === 'Fetch.requestPaused') paused((params as { requestId: string }).requestId);
    });
    await this.#page.call('Fetch.enable', { patterns: [{ urlPattern }] });
  }

  #note(method: string, params: unknown): void {
    if (method === 'Network.eventSourceMessageReceived') this.#messages += 1;
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
