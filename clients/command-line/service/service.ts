import { Jobgate } from 'jobgate-client';
import { orGuess } from '../input/guess.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Variables } from '../stores.ts';
import { ContextsFile, type Context } from './contexts-file.ts';

const LOCAL = 'http://localhost:8080';

/** The settings of the service from the command line and the environment. */
export interface Given {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly context?: string | undefined;
}

/** The token as a header can carry it. @throws UsageError for other characters. */
export function sendable(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError('The API token must consist of printable ASCII characters');
}

/** The service that commands use. */
export class Service {
  readonly contexts: ContextsFile;
  readonly #options: Given;
  readonly #environment: Given;
  #fetch: typeof fetch = fetch;
  #client: Jobgate | undefined;

  /** @param options take precedence over the environment. */
  constructor(contexts: ContextsFile, options: Given, environment: Given) {
    this.contexts = contexts;
    this.#options = options;
    this.#environment = environment;
  }

  /** The service that options of a command or else variables of the environment name. */
  static for(options: object, variables: Variables): Service {
    const { url, token, context } = options as Given;
    return new Service(
      new ContextsFile(variables),
      { url, token, context },
      {
        url: variables['JOBGATE_URL'] || undefined,
        token: variables['JOBGATE_TOKEN'] || undefined,
      },
    );
  }

  /**
   * The URL of the service: from an option, the named context, the environment or the current context.
   *
   * @throws UsageError when it is not a URL.
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
   * The token of a context is only sent to the URL of that context.
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
        `There is no token for ${this.url}: set JOBGATE_TOKEN, or save one with jobgate login`,
      );
    }
    return sendable(token);
  }

  get client(): Jobgate {
    this.#client ??= new Jobgate({ url: this.url, token: this.token, fetch: this.#fetch });
    return this.#client;
  }

  /** Routes each request of the client through a function. Must be called before the first one. */
  through(send: typeof fetch): void {
    this.#fetch = send;
  }

  /** @throws UsageError when an option names a context that does not exist. */
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
