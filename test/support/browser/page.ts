import type { DevTools } from './devtools.ts';

interface Evaluation {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
}

interface Context {
  readonly browserContextId: string;
}

/** A page in a browser. */
export class Page {
  readonly #tools: DevTools;
  readonly #context: Context;
  readonly #session: string;

  private constructor(tools: DevTools, context: Context, session: string) {
    this.#tools = tools;
    this.#context = context;
    this.#session = session;
  }

  /** Resolves when it is loaded. It shares no cookie and no storage with other pages. */
  static async open(tools: DevTools, url: string): Promise<Page> {
    const context = (await tools.call('Target.createBrowserContext', {
      disposeOnDetach: true,
    })) as Context;
    const target = (await tools.call('Target.createTarget', {
      url: 'about:blank',
      ...context,
    })) as object;
    const session = (await tools.call('Target.attachToTarget', { ...target, flatten: true })) as {
      sessionId: string;
    };
    const page = new Page(tools, context, session.sessionId);
    await page.call('Page.enable');
    // As if it was in front, whichever other pages there are.
    await page.call('Emulation.setFocusEmulationEnabled', { enabled: true });
    await page.navigate(url);
    return page;
  }

  /** How many elements the selector finds, without a script in the page. */
  async count(selector: string): Promise<number> {
    const { root } = (await this.call('DOM.getDocument')) as { root: { nodeId: number } };
    const { nodeIds } = (await this.call('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector,
    })) as { nodeIds: readonly number[] };
    return nodeIds.length;
  }

  /** Resolves when the document of that address is loaded, with its scripts. */
  async navigate(url: string): Promise<void> {
    const loaded = this.#tools.event('Page.loadEventFired', this.#session);
    await this.call('Page.navigate', { url });
    await loaded;
  }

  /**
   * Runs a function in the page and resolves with what its promise comes to. It sees nothing but the page and its
   * parameters, which are sent as JSON, as is its result.
   *
   * @throws Error with what the page threw.
   */
  async run<T, P extends readonly unknown[]>(
    task: (...parameters: P) => T | Promise<T>,
    ...parameters: P
  ): Promise<T> {
    // The loader of the tests gives functions their names by calls of a helper that pages do not have.
    return this.evaluate<T>(
      `((__name) => (${task.toString()})(...${JSON.stringify(parameters)}))((named) => named)`,
    );
  }

  /** Resolves with what the promise of an expression comes to in the page. @throws Error with what it threw. */
  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.call('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    const { result, exceptionDetails } = answer as Evaluation;
    if (exceptionDetails === undefined) return result.value as T;
    throw new Error(`In the page: ${exceptionDetails.exception?.description ?? 'it failed'}`);
  }

  async close(): Promise<void> {
    await this.#tools.call('Target.disposeBrowserContext', this.#context);
  }

  /** Calls back with each event of the domains of the protocol that are enabled. */
  listen(listener: (method: string, params: unknown) => void): void {
    this.#tools.listen(this.#session, listener);
  }

  /** A call of the DevTools protocol to the page. @throws Error with the words of the browser. */
  call(method: string, params: object = {}): Promise<unknown> {
    return this.#tools.call(method, params, this.#session);
  }
}
