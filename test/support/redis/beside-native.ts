import {
  FlowProducer,
  Queue,
  QueueEvents,
  Worker,
  type Processor,
  type QueueEventsOptions,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import {
  Queue as FormerQueue,
  Worker as FormerWorker,
  type Processor as FormerProcessor,
} from 'bullmq5';
import type { Redis } from 'ioredis';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { uniqueQueue } from '../../contracts/queue-steps.ts';
import type { FakeClock } from '../fake-clock.ts';
import { redisReplica, TestConnections, type RedisReplica } from './redis-stores.ts';
import { testStore } from './test-store.ts';

/** The settings of a replica that differ from the defaults. */
interface ReplicaSettings {
  readonly prefix?: string;
  readonly clock?: FakeClock;
}

/**
 * Describes a replica of the service beside clients of the library, on the store of the run. The
 * clients that a test opens are closed after it.
 */
export function describeBesideNative(
  title: string,
  suite: (clients: BesideNative) => void,
  settings: ReplicaSettings = {},
): void {
  describe(title, () => {
    const clients = new BesideNative(settings);
    before(() => clients.open());
    beforeEach(() => {
      clients.renew();
    });
    afterEach(() => clients.closeClients());
    after(() => {
      clients.end();
    });
    suite(clients);
  });
}

interface Opened {
  readonly uri: string;
  readonly connections: TestConnections<Redis>;
  readonly replica: RedisReplica;
}

/** What a test has beside native clients. Only hooks and tests may use it, as it opens in a hook. */
export class BesideNative {
  readonly #settings: ReplicaSettings;
  #opened: Opened | undefined;
  #name = uniqueQueue();
  readonly #closers: (() => Promise<unknown>)[] = [];

  constructor(settings: ReplicaSettings) {
    this.#settings = settings;
  }

  get replica(): RedisReplica {
    return this.#open.replica;
  }

  /** The name of a queue that no other test uses. */
  get name(): QueueName {
    return this.#name;
  }

  /** Sends commands past the library and the service. */
  get commands(): Redis {
    return this.#open.connections.commands;
  }

  queue(name: string = this.#name, options: Omit<QueueOptions, 'connection'> = {}): Queue {
    return this.#closing(new Queue(name, { ...this.#clientOptions(), ...options }));
  }

  /** A queue of the library's former major version. */
  formerQueue(name: string = this.#name): FormerQueue {
    return this.#closing(new FormerQueue(name, this.#clientOptions()));
  }

  /** Without a processor, it takes a job only when the test asks for the next one. */
  worker<Data = unknown, Result = unknown>(
    name: string,
    processor?: Processor<Data, Result>,
    options: Omit<WorkerOptions, 'connection'> = {},
  ): Worker<Data, Result> {
    const all = { ...this.#clientOptions(), ...options };
    return this.#closing(new Worker<Data, Result>(name, processor, all));
  }

  /** A worker of the library's former major version. */
  formerWorker(name: string, processor: FormerProcessor): FormerWorker {
    return this.#closing(new FormerWorker(name, processor, this.#clientOptions()));
  }

  events(name: string, options: Omit<QueueEventsOptions, 'connection'> = {}): QueueEvents {
    return this.#closing(new QueueEvents(name, { ...this.#clientOptions(), ...options }));
  }

  flows(): FlowProducer {
    return this.#closing(new FlowProducer(this.#clientOptions()));
  }

  async open(): Promise<void> {
    const { uri } = await testStore();
    const connections = await TestConnections.open(uri);
    this.#opened = { uri, connections, replica: redisReplica(connections, this.#settings) };
  }

  /** Chooses a new name for the next test. */
  renew(): void {
    this.#name = uniqueQueue();
  }

  async closeClients(): Promise<void> {
    await Promise.all(this.#closers.splice(0).map((close) => close()));
  }

  /** Ends the connections of the replica. */
  end(): void {
    this.#opened?.connections.close();
  }

  get #open(): Opened {
    if (this.#opened === undefined) throw new Error('The store is opened in a hook');
    return this.#opened;
  }

  #clientOptions(): { connection: { url: string }; prefix: string } {
    // The library adds to the object with which it connects.
    return { connection: { url: this.#open.uri }, prefix: this.#settings.prefix ?? 'bull' };
  }

  #closing<Client extends { close(): Promise<unknown> }>(client: Client): Client {
    this.#closers.push(() => client.close());
    return client;
  }
}
