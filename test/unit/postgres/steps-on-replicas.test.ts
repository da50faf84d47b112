import { currentPorts } from '../../support/current-ports.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { replicasInMemory } from '../../support/postgres/replicas-in-memory.ts';
import { describeStepPort } from '../../contracts/step-port.contract.ts';

// Whatever one replica has answered, the other one knows at the next call.
describeStepPort('two replicas on a log in memory, call by call', async () => {
  const one = replicasInMemory('test', new FakeClock(Date.UTC(2026, 0, 1)));
  const other = await one.replica();
  let calls = 0;
  return { ...one, ...currentPorts(() => ((calls += 1) % 2 === 0 ? one : other)) };
});
