import { browserSession } from './browser-session.ts';
import { DevTools } from './devtools.ts';
import { Page } from './page.ts';

// A test file that imports this one will open pages, so the run starts the browser beforehand.
browserSession.need();

/** The Chromium of the run as one test uses it: with pages of its own, which share nothing with those of others. */
export class Browser {
  readonly #tools: DevTools;

  private constructor(tools: DevTools) {
    this.#tools = tools;
  }

  /** @throws Error that says what to install, or with what the browser printed when it ended instead. */
  static async start(): Promise<Browser> {
    const { uri } = await browserSession.server();
    return new Browser(await DevTools.connect(uri));
  }

  /** Resolves when the page is loaded. */
  async open(url: string): Promise<Page> {
    return Page.open(this.#tools, url);
  }

  /** Closes its pages. */
  async stop(): Promise<void> {
    await this.#tools.close();
  }
}
