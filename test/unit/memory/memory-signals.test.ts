import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { describeReplicaSignalsPort } from '../../contracts/replica-signals-port.contract.ts';

// All replicas on the embedded store are one process, and share its signals.
describeReplicaSignalsPort('memory', () => {
  const signals = new MemorySignals();
  return Promise.resolve({
    signals,
    replica: () => Promise.resolve(signals),
    dispose: () => Promise.resolve(),
  });
});
