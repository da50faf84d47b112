import { randomUUID } from 'node:crypto';
import { RedisSignals } from '../../../src/adapters/outbound/redis/signals/redis-signals.ts';
import type { ReplicaSignalsHarness } from '../../contracts/replica-signals-port.contract.ts';
import { silentLogger } from '../silent-logger.ts';
import type { TestConnections } from './redis-stores.ts';

/** Signals over connections of their own, on a channel that no other test uses. */
export async function redisSignalsHarness(
  connect: () => Promise<TestConnections>,
): Promise<ReplicaSignalsHarness> {
  const channel = `signals-${randomUUID()}`;
  const opened: TestConnections[] = [];
  const replica = async (): Promise<RedisSignals> => {
    const connections = await connect();
    opened.push(connections);
    return new RedisSignals(connections, channel, silentLogger);
  };
  return {
    signals: await replica(),
    replica,
    dispose: () => {
      for (const connections of opened) connections.close();
      return Promise.resolve();
    },
  };
}
