import { Client, Receiver } from '@upstash/qstash';
import { loadConfig } from '../../../../src/infrastructure/config/load-config.ts';
import { createService, type Service } from '../../../../src/infrastructure/service.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

export const TOKEN = 'qstash-token';

export const KEYS = { currentSigningKey: 'sig_current', nextSigningKey: 'sig_next' };

type Environment = Readonly<Record<string, string>>;

/** The whole service in this process, and clients of it. */
export class QstashService {
  readonly #service: Service;
  readonly client: Client;
  readonly receiver = new Receiver(KEYS);

  private constructor(service: Service) {
    this.#service = service;
    this.client = this.clientOf(TOKEN);
  }

  static async start(environment: Environment): Promise<QstashService> {
    const config = loadConfig(
      {
        PORT: '0',
        AUTH_TOKENS: TOKEN,
        QSTASH: 'on',
        QSTASH_CURRENT_SIGNING_KEY: KEYS.currentSigningKey,
        QSTASH_NEXT_SIGNING_KEY: KEYS.nextSigningKey,
        DRAIN_TIME: '0',
        ...environment,
      },
      { readFile: () => '', isTerminal: false },
    );
    const service = await createService(config, silentLogger);
    await service.start();
    return new QstashService(service);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#service.port}`;
  }

  clientOf(token: string, config: Partial<ConstructorParameters<typeof Client>[0]> = {}): Client {
    return new Client({ baseUrl: this.url, token, retry: false, devMode: false, ...config });
  }

  /** A request as it goes over the wire. */
  raw(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      ...(body !== undefined && { body }),
    });
  }

  /** Asks the REST interface. */
  rest(method: string, path: string, body?: unknown, token = TOKEN): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Resolves when a message has ended for good. */
  async ended(id: string, queue = 'qstash'): Promise<void> {
    await this.rest('GET', `/queues/${queue}/jobs/${id}/result?timeout=10000`);
  }

  async stop(): Promise<void> {
    await this.#service.stop();
  }
}
