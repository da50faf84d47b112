import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import { guardAgainstOrphan } from '../../support/orphan-guard.ts';
import { ServiceProcess } from '../../support/service-process.ts';

/**
 * The folder of another checkout, built, such as that of the release before: every second replica is of it. It is the
 * proof that two versions share a store, and is given by hand (docs/operations.md).
 */
const BESIDE = process.env['BESIDE'];

interface Crashes {
  /** What goes on in the second before each. */
  readonly meanwhile?: ((crash: number) => Promise<void>) | undefined;
  /** Starts the one that comes in place of another; one more unless given. */
  readonly replace?: (crashed: ServiceProcess) => Promise<unknown>;
}

/** Several processes of the service on one store. */
export class Replicas {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #running: ServiceProcess[] = [];
  #turn = 0;
  #started = 0;

  private constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  static async start(
    count: number,
    environment: Readonly<Record<string, string>>,
  ): Promise<Replicas> {
    const replicas = new Replicas(environment);
    await Promise.all(Array.from({ length: count }, () => replicas.add()));
    return replicas;
  }

  /** Those that run, oldest first. */
  get running(): readonly ServiceProcess[] {
    return this.#running;
  }

  /** Another one at each call, as a load balancer chooses. */
  get next(): ServiceProcess {
    this.#turn += 1;
    const chosen = this.#running[this.#turn % this.#running.length];
    if (chosen === undefined) throw new Error('No replica runs');
    return chosen;
  }

  /** Starts one more. @param more variables that it has besides those of all */
  async add(more: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    this.#started += 1;
    const isOfOther = BESIDE !== undefined && this.#started % 2 === 0;
    const limits = isOfOther ? { folder: BESIDE } : {};
    const service = await ServiceProcess.start({ ...this.#environment, ...more }, limits);
    void service.exited.then(guardAgainstOrphan(service.pid, undefined));
    this.#running.push(service);
    return service;
  }

  /** Takes a replica out of the choice, as its end or its readiness would. */
  drop(service: ServiceProcess): void {
    this.#running.splice(this.#running.indexOf(service), 1);
  }

  /** Ends one as a crash does. */
  async crash(service: ServiceProcess): Promise<void> {
    this.drop(service);
    await service.kill();
  }

  /** Ends the oldest one as a crash does, once a second, and starts another in its place. One runs at any time. */
  async crashEachSecond(
    times: number,
    { meanwhile = () => Promise.resolve(), replace = () => this.add() }: Crashes = {},
  ): Promise<void> {
    const replacements: Promise<unknown>[] = [];
    for (let crash = 0; crash < times; crash += 1) {
      await Promise.all([sleep(1000), meanwhile(crash)]);
      if (this.#running.length === 1) await Promise.all(replacements);
      const [oldest] = this.#running;
      if (oldest === undefined) throw new Error('No replica runs');
      await this.crash(oldest);
      replacements.push(replace(oldest));
    }
    await Promise.all(replacements);
  }

  /** Resolves when all of them are ready. @param timeout in milliseconds */
  async ready(timeout = 20_000): Promise<void> {
    await Promise.all(
      this.#running.map((service) =>
        eventually('the replica is ready', () => isReady(service), timeout),
      ),
    );
  }

  async kill(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((service) => service.kill()));
  }
}

export async function isReady(service: ServiceProcess): Promise<boolean> {
  return (await fetch(`${service.url}/health/ready`)).status === 200;
}
