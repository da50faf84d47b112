import { expect } from 'chai';
import type { RedisConnections } from '../../../src/adapters/outbound/redis/connection/redis-client.ts';
import { RedisSignals } from '../../../src/adapters/outbound/redis/signals/redis-signals.ts';
import { describeReplicaSignalsPort } from '../../contracts/replica-signals-port.contract.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { redisSignalsHarness } from '../../support/redis/redis-signals-harness.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { TestConnections } from '../../support/redis/redis-stores.ts';
import { testStore } from '../../support/redis/test-store.ts';
import { rounds } from '../../support/lane.ts';
import { silentLogger } from '../../support/silent-logger.ts';

describeReplicaSignalsPort('Redis', async () => {
  const { uri } = await testStore();
  return redisSignalsHarness(() => TestConnections.open(uri));
});

describe('RedisSignals', () => {
  let server: RedisServer;
  let proxy: CuttingProxy;
  let direct: TestConnections;
  let throughProxy: TestConnections;
  let calls: number;
  let end: () => void;

  beforeEach(async () => {
    server = await RedisServer.start();
    proxy = await CuttingProxy.start(server.port);
    direct = await TestConnections.open(server.uri);
    throughProxy = await TestConnections.open(`redis://127.0.0.1:${proxy.port}`);
    // Only the subscription goes through the proxy: what dies is that connection alone.
    const connections: RedisConnections = {
      commands: direct.commands,
      blocking: () => direct.blocking(),
      subscriber: () => throughProxy.subscriber(),
    };
    calls = 0;
    end = new RedisSignals(connections, 'changed', silentLogger).listen('workers', () => {
      calls += 1;
    });
    await eventually('the subscription has begun', () => Promise.resolve(calls > 0));
  });
  afterEach(async () => {
    end();
    direct.close();
    throughProxy.close();
    await proxy.close();
    await server.stop();
  });

  const moreThan = (count: number) => () => Promise.resolve(calls > count);

  // holds: record.reconnect
  it('wake their listeners after a lost connection, as signals may have been lost with it', async () => {
    const before = calls;
    await direct.commands.client('KILL', 'TYPE', 'pubsub');
    await eventually('the listener is woken', moreThan(before));
    const subscribed = calls;
    await direct.commands.publish('changed', 'workers');
    await eventually('signals arrive again', moreThan(subscribed));
  });

  // holds: signals.dead-connection
  it('notice within five seconds that the connection died without a word', async () => {
    const before = calls;
    proxy.freeze();
    await direct.commands.publish('changed', 'workers');
    // The frozen connection stays as it is: only a new one can bring the signal.
    await eventually('there is a new connection', () => Promise.resolve(proxy.waiting > 0), 5000);
    expect(calls).to.equal(before);
    proxy.thaw();
    await eventually('the listener is woken', moreThan(before));
  });

  // holds: signals.quiet-connection
  it('keep a connection on which nothing happens for long', async () => {
    const clients = async (): Promise<string> => {
      const list = (await direct.commands.call('CLIENT', 'LIST', 'TYPE', 'pubsub')) as string;
      return list.match(/^id=\d+/gm)?.join() ?? '';
    };
    const pulses = async (): Promise<number> => {
      const stats = await direct.commands.info('commandstats');
      return Number(/cmdstat_publish:calls=(\d+)/.exec(stats)?.[1] ?? 0);
    };
    const [before, sent] = [await clients(), await pulses()];
    // Each pulse after the first shows that the one before it arrived, or else the connection is given up.
    const more = rounds(4, 2);
    await eventually(
      `${more} pulses are sent`,
      async () => (await pulses()) >= sent + more,
      15_000,
    );
    expect(await clients()).to.equal(before);
  }).timeout(20_000);

  // holds: signals.unknown
  it('take any other message for one of an older replica, and wake all that listen', async () => {
    const before = calls;
    await direct.commands.publish('changed', 'mail');
    await eventually('the listener is woken', moreThan(before));
  });
});
