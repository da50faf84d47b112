import { describeReplicaSignalsPort } from '../../contracts/replica-signals-port.contract.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';
import type { PostgresReplica } from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import type { ReplicaSignalsPort } from '../../../src/application/ports/replica-signals-port.ts';

describeReplicaSignalsPort('postgres', async () => {
  const { uri, schema } = await freshSchema();
  const clock = new FakeClock();
  const opened: PostgresReplica[] = [];
  const replica = async (): Promise<ReplicaSignalsPort> => {
    const instance = `host:${opened.length + 1}`;
    const one = await openReplica({ uri, schema, clock, instance });
    opened.push(one);
    return one.signals;
  };
  const dispose = async (): Promise<void> => {
    for (const { store } of opened) await store.stop();
  };
  return { signals: await replica(), replica, dispose };
});
