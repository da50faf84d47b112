import { ServiceProcess } from './service-process.ts';

type Environment = Readonly<Record<string, string>>;

/** Services of a kind that a test starts with environments of its own, to be ended together after it. */
export class ServicesOfTest<Service extends { kill(): Promise<unknown> }> {
  readonly #kind: { start(environment: Environment): Promise<Service> };
  readonly #services: Service[] = [];

  constructor(kind: { start(environment: Environment): Promise<Service> }) {
    this.#kind = kind;
  }

  async start(environment: Environment = {}): Promise<Service> {
    const service = await this.#kind.start(environment);
    this.#services.push(service);
    return service;
  }

  async kill(): Promise<void> {
    await Promise.all(this.#services.splice(0).map((service) => service.kill()));
  }
}

/** Services that are processes of their own. */
export class StartedServices extends ServicesOfTest<ServiceProcess> {
  constructor() {
    super(ServiceProcess);
  }
}
