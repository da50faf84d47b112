import { FlowProducer, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { redisReplica, TestConnections, type RedisReplica } from './redis-stores.ts';
import { testStore } from './test-store.ts';

/** Clients of the library beside a replica of the service, on the store of the run. */
export class NativeClients {
  readonly replica: RedisReplica;
  readonly #uri: string;
  readonly #connections: TestConnections<Redis>;
  readonly #closers: (() => Promise<unknown>)[] = [];

  private constructor(uri: string, connections: TestConnections<Redis>) {
    this.#uri = uri;
    this.#connections = connections;
    this.replica = redisReplica(connections);
  }

  static async open(): Promise<NativeClients> {
    const { uri } = await testStore();
    return new NativeClients(uri, await TestConnections.open(uri));
  }

  /** What a client of the library connects with. The library adds to it. */
  get connection(): { readonly url: string } {
    return { url: this.#uri };
  }

  /** Sends commands past the library and the service. */
  get commands(): Redis {
    return this.#connections.commands;
  }

  queue(name: string): Queue {
    return this.closing(new Queue(name, { connection: this.connection }));
  }

  flows(): FlowProducer {
    return this.closing(new FlowProducer({ connection: this.connection }));
  }

  /** The client, to be closed with the others. */
  closing<Client extends { close(): Promise<unknown> }>(client: Client): Client {
    this.#closers.push(() => client.close());
    return client;
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#closers.splice(0).map((close) => close()));
  }

  /** Ends the connections of the replica. */
  end(): void {
    this.#connections.close();
  }
}
