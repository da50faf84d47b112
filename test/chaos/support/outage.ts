import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';

/** A store that can be taken away, and brought back as it was. */
export interface FragileStore {
  readonly uri: string;
  takeAway(): Promise<void>;
  bringBack(): Promise<void>;
  stop(): Promise<void>;
}

/** Every write is on disk before it is answered, so that a kill loses none. */
export function startDurableRedis(): Promise<RedisServer> {
  return RedisServer.start({ settings: { appendonly: 'yes', appendfsync: 'always' } });
}

/** Killed: connections are refused. */
export async function killedStore(): Promise<FragileStore> {
  const server = await startDurableRedis();
  return {
    uri: server.uri,
    takeAway: () => server.kill(),
    bringBack: () => server.restart(),
    stop: () => server.stop(),
  };
}

/** Stopped with SIGSTOP: connections are made and nobody answers. */
export async function hangingStore(): Promise<FragileStore> {
  const server = await startDurableRedis();
  const signal = (name: NodeJS.Signals): Promise<void> => {
    process.kill(server.pid, name);
    return Promise.resolve();
  };
  return {
    uri: server.uri,
    takeAway: () => signal('SIGSTOP'),
    bringBack: () => signal('SIGCONT'),
    stop: () => server.stop(),
  };
}

/** Behind a network that swallows everything, in both directions, and later delivers it. */
export async function unreachableStore(): Promise<FragileStore> {
  const server = await startDurableRedis();
  const proxy = await CuttingProxy.start(server.port);
  return {
    uri: `redis://127.0.0.1:${proxy.port}`,
    takeAway: () => {
      proxy.freeze();
      return Promise.resolve();
    },
    bringBack: () => {
      proxy.thaw();
      return Promise.resolve();
    },
    stop: async () => {
      await proxy.close();
      await server.stop();
    },
  };
}
