import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { describeReplicaSignalsPort } from '../../contracts/replica-signals-port.contract.ts';

// Replicas of the embedded store are one process, and share what it has.
describeReplicaSignalsPort('memory', () => {
  const signals = new MemorySignals();
  return Promise.resolve({
    signals,
    replica: () => Promise.resolve(signals),
    dispose: () => Promise.resolve(),
  });
});
