import { expect } from 'chai';
import type {
  ReplicaSignalsPort,
  SignalScope,
} from '../../src/application/ports/replica-signals-port.ts';
import { eventually } from '../support/eventually.ts';
import { queueNamed } from '../support/queue-named.ts';

/** What the suite needs of a store. One harness serves all its tests. */
export interface ReplicaSignalsHarness {
  readonly signals: ReplicaSignalsPort;

  /** Another replica's adapter on the same store. */
  replica(): Promise<ReplicaSignalsPort>;

  /** Ends the harness and all its replicas. */
  dispose(): Promise<void>;
}

/** What every ReplicaSignalsPort promises. */
export function describeReplicaSignalsPort(
  name: string,
  createHarness: () => Promise<ReplicaSignalsHarness>,
): void {
  describe(`ReplicaSignalsPort: ${name}`, () => {
    let harness: ReplicaSignalsHarness;
    let signals: ReplicaSignalsPort;
    let replica: ReplicaSignalsPort;

    before(async () => {
      harness = await createHarness();
      signals = harness.signals;
      replica = await harness.replica();
    });

    after(() => harness.dispose());

    /** Listens, and sends until the first signal arrives: from then on each one arrives. */
    const listening = async (
      listener: ReplicaSignalsPort,
      sender: ReplicaSignalsPort,
    ): Promise<{ calls: () => number; end: () => void }> => {
      let calls = 0;
      const end = listener.listen('workers', () => {
        calls += 1;
      });
      await eventually('a signal is heard', () => {
        sender.send('workers');
        return Promise.resolve(calls > 0);
      });
      return { calls: () => calls, end };
    };

    /** Sends one signal and waits until all of them have received it. */
    const heardBy = async (
      sender: ReplicaSignalsPort,
      ...listeners: readonly { readonly calls: () => number }[]
    ): Promise<void> => {
      const before = listeners.map(({ calls }) => calls());
      sender.send('workers');
      await eventually('all have heard the signal', () =>
        Promise.resolve(listeners.every(({ calls }, index) => calls() > (before[index] ?? 0))),
      );
    };

    // holds: record.wake-up, signals.listeners
    it('reach every listener, on any replica', async () => {
      for (const [listener, sender] of [
        [signals, signals],
        [signals, replica],
        [replica, signals],
      ] as const) {
        const listens = await listening(listener, sender);
        await heardBy(sender, listens);
        listens.end();
      }
    });

    // holds: signals.listeners
    it('reach all listeners, each as often as it listens', async () => {
      const first = await listening(signals, replica);
      const second = await listening(signals, replica);
      await heardBy(replica, first, second);
      first.end();
      second.end();
    });

    // holds: cancel.aborts
    it('carry what they are about, and nothing of other signals', async () => {
      const others = await listening(signals, replica);
      const heard: SignalScope[] = [];
      const end = signals.listen('cancelled', (scope) => heard.push(scope));
      const scope = { queue: queueNamed('mail order'), jobId: 'a "b" c' };
      await heardBy(replica, others);
      expect(heard).to.deep.equal([]);
      replica.send('cancelled', scope);
      await eventually('the signal is heard', () => Promise.resolve(heard.length > 0));
      expect(heard).to.deep.equal([scope]);
      end();
      others.end();
    });

    // holds: record.wake-up
    it('carry the queue of a changed worker, and nothing when any may have changed', async () => {
      const heard: SignalScope[] = [];
      const others = await listening(signals, replica);
      const end = signals.listen('workers', (scope) => heard.push(scope));
      const queue = queueNamed('mail order');
      replica.send('workers', { queue });
      await heardBy(replica, others);
      const named = () => heard.filter((scope) => scope.queue !== undefined);
      await eventually('both are heard', () =>
        Promise.resolve(named().length > 0 && named().length < heard.length),
      );
      expect(named()).to.deep.equal([{ queue }]);
      expect(heard).to.deep.include({});
      end();
      others.end();
    });

    // holds: signals.ended
    it('reach no listener that has ended its listening', async () => {
      const ended = await listening(signals, replica);
      const other = await listening(signals, replica);
      ended.end();
      ended.end();
      const before = ended.calls();
      await heardBy(replica, other);
      expect(ended.calls()).to.equal(before);
      other.end();
    });
  });
}
