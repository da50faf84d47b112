import type { Answer, HttpService } from '../../integration/http/support/http-service.ts';
import type { FakeIssuer } from './fake-issuer.ts';

/** The headers that every page of the dashboard sends. */
const OWN = { 'Jobgate-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' };

/** A person with a browser, which keeps cookies and follows no redirect by itself. */
export class Person {
  readonly #service: HttpService;
  readonly #issuer: FakeIssuer;
  readonly cookies = new Map<string, string>();

  constructor(service: HttpService, issuer: FakeIssuer) {
    this.#service = service;
    this.#issuer = issuer;
  }

  /** The cookie of the session; undefined without one. */
  get session(): string | undefined {
    return this.cookies.get('jobgate-session');
  }

  async ask(method: string, path: string): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.#service.url + path, {
      method,
      headers: { Cookie: cookie, ...(method !== 'GET' && OWN) },
      redirect: 'manual',
    });
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  }

  /** Goes to the issuer and agrees there. @returns the query to come back with. */
  async leave(path = '/sign-in'): Promise<URLSearchParams> {
    const { status, headers, text } = await this.ask('GET', path);
    if (status !== 303) throw new Error(`${status}: ${text}`);
    return this.#issuer.agree(headers.get('location') ?? '');
  }

  comeBack(query: URLSearchParams): Promise<Answer> {
    return this.ask('GET', `/sign-in/callback?${query.toString()}`);
  }

  async signIn(): Promise<Answer> {
    return this.comeBack(await this.leave());
  }

  async whoami(): Promise<Record<string, unknown>> {
    return JSON.parse((await this.ask('GET', '/whoami')).text) as Record<string, unknown>;
  }
}
