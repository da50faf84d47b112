import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../test/support/eventually.ts';
import type { ContainerEngine } from './container-engine.ts';

const TOKEN = 'secret';

/** A container of the image on the host's network. */
export class ImageService {
  readonly #engine: ContainerEngine;
  readonly #container: string;
  readonly #url: string;

  private constructor(engine: ContainerEngine, container: string, url: string) {
    this.#engine = engine;
    this.#container = container;
    this.#url = url;
  }

  /** Starts the image with a token and nothing else. @param options further ones of `docker run`. */
  static async start(
    engine: ContainerEngine,
    image: string,
    ...options: readonly string[]
  ): Promise<ImageService> {
    const port = await freePort();
    const own = ['--network', 'host', '--env', `PORT=${port}`, '--env', `AUTH_TOKENS=${TOKEN}`];
    const container = await engine.run('run', '--detach', ...own, ...options, image);
    const service = new ImageService(engine, container, `http://127.0.0.1:${port}`);
    await eventually('the container serves', () => service.#isReady());
    return service;
  }

  async #isReady(): Promise<boolean> {
    if ((await this.state('Running')) === 'false') {
      throw new Error(await this.#engine.run('logs', this.#container));
    }
    const answer = await fetch(`${this.#url}/health/ready`).catch(() => undefined);
    return answer?.ok ?? false;
  }

  /** Calls the API. @throws Error for any answer but one of success. */
  async call(path: string, body?: unknown): Promise<string> {
    const answer = await fetch(`${this.#url}${path}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return text;
  }

  /** A field of the state of the container, such as `ExitCode` or `Health.Status`. */
  state(field: string): Promise<string> {
    return this.#engine.run('inspect', '--format', `{{.State.${field}}}`, this.#container);
  }

  /** Stops it as an operator would. @returns milliseconds. */
  async stop(): Promise<number> {
    const start = performance.now();
    await this.#engine.run('stop', '--time', '30', this.#container);
    return performance.now() - start;
  }

  async remove(): Promise<void> {
    await this.#engine.run('rm', '--force', '--volumes', this.#container);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
