import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { loadConfig } from '../../../../src/infrastructure/config/load-config.ts';
import { createService, type Service } from '../../../../src/infrastructure/service.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

export const TOKEN = 'sqs-token';

type Environment = Readonly<Record<string, string>>;

/** The whole service in this process, and clients of it. */
export class SqsService {
  readonly #service: Service;
  readonly #clients: SQSClient[] = [];
  readonly sqs: SQSClient;

  private constructor(service: Service) {
    this.#service = service;
    this.sqs = this.client();
  }

  static async start(environment: Environment): Promise<SqsService> {
    const config = loadConfig(
      { PORT: '0', AUTH_TOKENS: TOKEN, SQS: 'on', DRAIN_TIME: '0', ...environment },
      { readFile: () => '', isTerminal: false },
    );
    const service = await createService(config, silentLogger);
    await service.start();
    return new SqsService(service);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#service.port}`;
  }

  client(accessKeyId = TOKEN, config: SQSClientConfig = {}): SQSClient {
    const client = new SQSClient({
      endpoint: `${this.url}/sqs`,
      region: 'eu-central-1',
      credentials: { accessKeyId, secretAccessKey: 'anything' },
      maxAttempts: 1,
      ...config,
    });
    this.#clients.push(client);
    return client;
  }

  /** Asks the REST interface. */
  async rest(method: string, path: string, body?: unknown, token = TOKEN): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.destroy();
    await this.#service.stop();
  }
}
