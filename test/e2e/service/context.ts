import type { JobJson } from '../../../src/domain/jobs/job-json.ts';
import { EndpointServer } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import type { Answer, CalledService } from '../../support/called-service.ts';
import type { ServiceProcess } from '../../support/service-process.ts';

/** The context of every part of the end-to-end suite: one running service, and queues of its own. */
export class ServiceContext<Service extends CalledService = ServiceProcess> {
  readonly #service: () => Service;
  readonly #endpoints: EndpointServer[] = [];
  readonly #workers: string[] = [];
  #queues = 0;

  /**
   * @param prefix of the qualified names of queues, QUEUE_PREFIX.
   * @param playsClocks whether tests are played that wait for clocks of the service or have thousands of jobs, for
   * seconds: what they show is the same above every store.
   */
  constructor(
    service: () => Service,
    readonly prefix = 'bull',
    readonly playsClocks = true,
  ) {
    this.#service = service;
  }

  get service(): Service {
    return this.#service();
  }

  newQueue(): string {
    this.#queues += 1;
    return `e2e-${process.pid}-${performance.now().toFixed(3)}-${this.#queues}`;
  }

  async newEndpoint(
    ...parameters: Parameters<typeof EndpointServer.start>
  ): Promise<EndpointServer> {
    const endpoint = await EndpointServer.start(...parameters);
    this.#endpoints.push(endpoint);
    return endpoint;
  }

  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    return this.service.call(method, path, body, token);
  }

  /** Adds the jobs and returns them as they were answered. */
  async add(queue: string, ...jobs: unknown[]): Promise<readonly JobJson[]> {
    const { status, body } = await this.call('POST', `/queues/${queue}/jobs`, jobs);
    if (status !== 200) throw new Error(`Adding jobs was answered with ${status}: ${String(body)}`);
    return body as JobJson[];
  }

  /** Registers a worker for the queue that calls the endpoint. */
  async register(queue: string, endpoint: EndpointServer, more: Registration = {}): Promise<void> {
    const { opts, ...settings } = more;
    const { status, body } = await this.call('POST', '/workers', {
      queue,
      endpoint: { url: endpoint.url, method: 'post', ...settings },
      ...(opts !== undefined && { opts }),
    });
    if (status !== 200) throw new Error(`Registering was answered with ${status}: ${String(body)}`);
    this.#workers.push(queue);
  }

  async read(queue: string, id: string): Promise<JobJson> {
    return (await this.call('GET', `/queues/${queue}/jobs/${id}`)).body as JobJson;
  }

  /** The job as soon as it has finished, whether completed or failed. */
  finished(queue: string, id: string): Promise<JobJson> {
    return eventually(`job ${id} of ${queue} finishes`, async () => {
      const job = await this.read(queue, id);
      return job.finishedOn !== undefined && job;
    });
  }

  /** Removes the workers and endpoints that were created since the last call. */
  async cleanUp(): Promise<void> {
    for (const queue of this.#workers.splice(0)) await this.call('DELETE', `/workers/${queue}`);
    await Promise.all(this.#endpoints.splice(0).map((endpoint) => endpoint.close()));
  }
}

interface Registration {
  /** Replaces the URL of the endpoint. */
  readonly url?: string;
  readonly method?: string;
  readonly signing?: boolean;
  readonly steps?: boolean;
  readonly headers?: Record<string, string>;
  readonly timeout?: number;
  readonly body?: string;
  readonly accepted?: string;
  readonly success?: readonly string[];
  readonly opts?: Record<string, unknown>;
}
