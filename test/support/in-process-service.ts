import { readFileSync } from 'node:fs';
import { loadConfig } from '../../src/infrastructure/config/load-config.ts';
import { createService, type Service } from '../../src/infrastructure/service.ts';
import { callService, type Answer } from './called-service.ts';
import { ServiceProcess } from './service-process.ts';
import { silentLogger } from './silent-logger.ts';

/**
 * The whole service within this process, which takes a tenth of the time to start. For tests of what it answers: signals,
 * kills, the log and the build are of a {@link ServiceProcess}.
 */
export class InProcessService {
  readonly #service: Service;

  private constructor(service: Service) {
    this.#service = service;
  }

  /** @throws what ends a process at its start. */
  static async start(environment: Readonly<Record<string, string>>): Promise<InProcessService> {
    const config = loadConfig(
      { PORT: '0', AUTH_TOKENS: ServiceProcess.token, DRAIN_TIME: '0', ...environment },
      { readFile: (path) => readFileSync(path, 'utf8'), isTerminal: false },
    );
    const service = await createService(config, silentLogger);
    await service.start();
    return new InProcessService(service);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#service.port}`;
  }

  /** Calls the REST interface, with the API token unless another one is given. */
  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    return callService(this.url, token ?? ServiceProcess.token, method, path, body);
  }

  async kill(): Promise<void> {
    await this.#service.stop();
  }
}
