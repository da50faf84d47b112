import { ServiceProcess } from './service-process.ts';

/** Services that a test starts with environments of its own, to be ended together after it. */
export class StartedServices {
  readonly #services: ServiceProcess[] = [];

  async start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const service = await ServiceProcess.start(environment);
    this.#services.push(service);
    return service;
  }

  async kill(): Promise<void> {
    await Promise.all(this.#services.splice(0).map((service) => service.kill()));
  }
}
