import { Jobgate } from 'jobgate-client';
import { orGuess } from '../input/guess.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Context, ContextsFile } from './contexts-file.ts';

const LOCAL = 'http://localhost:8080';

/** What the command line and the environment say of the service. */
export interface Given {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly context?: string | undefined;
}

/** The service that commands are for. */
export class Service {
  readonly contexts: ContextsFile;
  readonly #options: Given;
  readonly #environment: Given;
  #fetch: typeof fetch = fetch;
  #client: Jobgate | undefined;

  /** @param options are stronger than the environment. */
  constructor(contexts: ContextsFile, options: Given, environment: Given) {
    this.contexts = contexts;
    this.#options = options;
    this.#environment = environment;
  }

  /**
   * Where the service is: as an option, the named context, the environment or the current context says.
   *
   * @throws UsageError when it is no URL.
   */
  get url(): string {
    const url = this.#options.url ?? this.#named()?.url ?? this.#fromEnvironmentOr()?.url ?? LOCAL;
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      const name = url === this.#options.url ? '--url' : 'JOBGATE_URL';
      throw new UsageError(`${name} must be an http or https URL`);
    }
    return url;
  }

  /**
   * The token of a context goes to the URL of that context alone.
   *
   * @throws UsageError without one.
   */
  get token(): string {
    const context = this.#named() ?? this.#current();
    const token =
      this.#options.token ??
      (this.#options.context === undefined ? this.#environment.token : undefined) ??
      (context?.url === this.url ? context.token : undefined);
    if (token === undefined) {
      throw new UsageError(
        `There is no token for ${this.url}: jobgate login keeps one, or set JOBGATE_TOKEN`,
      );
    }
    if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('The API token must be text in ASCII');
    return token;
  }

  get client(): Jobgate {
    this.#client ??= new Jobgate({ url: this.url, token: this.token, fetch: this.#fetch });
    return this.#client;
  }

  /** Has each request of the client go through a function, before the first one. */
  through(send: typeof fetch): void {
    this.#fetch = send;
  }

  /** @throws UsageError when there is no context of the name that an option gives. */
  #named(): Context | undefined {
    const { context: name } = this.#options;
    if (name === undefined) return undefined;
    const { contexts } = this.contexts.read();
    const context = contexts[name];
    if (context === undefined) {
      const otherwise = 'jobgate contexts lists them';
      const hint = orGuess(name, Object.keys(contexts), otherwise);
      throw new UsageError(`There is no context ${name}: ${hint}`);
    }
    return context;
  }

  #fromEnvironmentOr(): { readonly url: string } | undefined {
    const { url } = this.#environment;
    return url === undefined ? this.#current() : { url };
  }

  #current(): Context | undefined {
    const { current, contexts } = this.contexts.read();
    return current === null ? undefined : contexts[current];
  }
}
