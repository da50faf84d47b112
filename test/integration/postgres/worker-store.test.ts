import type { PostgresReplica } from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import { describeKeyCheckStorePort } from '../../contracts/key-check-store-port.contract.ts';
import { describeReplicaSignalsPort } from '../../contracts/replica-signals-port.contract.ts';
import { describeSealedWorkers, sealedHarness } from '../../contracts/sealed-workers.contract.ts';
import { describeWorkerStorePort } from '../../contracts/worker-store-port.contract.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { openReplica } from '../../support/postgres/open-replica.ts';
import { freshSchema } from '../../support/postgres/test-postgres.ts';

/** A part of a replica, that of more replicas, and the end of them all. */
async function replicasOf<Part>(partOf: (replica: PostgresReplica) => Part, workers?: number) {
  const { uri, schema } = await freshSchema();
  const clock = new FakeClock();
  const opened: PostgresReplica[] = [];
  const replica = async (): Promise<Part> => {
    const instance = `host:${opened.length + 1}`;
    const one = await openReplica({ uri, schema, clock, instance, workers });
    opened.push(one);
    return partOf(one);
  };
  const dispose = async (): Promise<void> => {
    for (const { store } of opened) await store.stop();
  };
  return { store: await replica(), replica, dispose };
}

const harness = (most?: number) => replicasOf(({ workers }) => workers, most);

const keyChecksHarness = () => replicasOf(({ keyChecks }) => keyChecks);

const sealedStoreHarness = async () => {
  const [workers, checks] = [await harness(), await keyChecksHarness()];
  const dispose = async (): Promise<void> => {
    await workers.dispose();
    await checks.dispose();
  };
  return { ...workers, checks: checks.store, dispose };
};

const signalsHarness = async () => {
  const { store, ...others } = await replicasOf(({ signals }) => signals);
  return { signals: store, ...others };
};

describeWorkerStorePort('postgres', harness);
describeWorkerStorePort('postgres, sealed', sealedHarness(harness));
describeSealedWorkers('postgres', sealedStoreHarness);
describeKeyCheckStorePort('postgres', keyChecksHarness);
describeReplicaSignalsPort('postgres', signalsHarness);
