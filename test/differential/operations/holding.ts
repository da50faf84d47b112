import fc from 'fast-check';
import { STALLED_GRACE } from '../../contracts/queue-steps.ts';
import { attempt, duration, queue, replica } from '../choices.ts';
import { NOTHING, operation } from '../operation.ts';
import type { QueueReplica } from '../../contracts/queue-harness.ts';
import type { Held } from '../stage.ts';

const MAX_STALLED_COUNT = 1;

/** The actions of holders on their attempts, and the checks for attempts that were left behind. */
export const holding = {
  holds: ofAttempt(1, {}, ({ attempts }, held) => attempts.holds(held.queue, held)),
  renew: ofAttempt(2, { duration }, ({ attempts }, held, choice) =>
    attempts.renew(held.queue, [held], choice.duration),
  ),
  extend: ofAttempt(1, { duration }, ({ attempts }, held, choice) =>
    attempts.extend(held.queue, held, choice.duration),
  ),
  accept: ofAttempt(2, { duration }, ({ attempts }, held, choice) =>
    attempts.accept(held.queue, held, choice.duration),
  ),
  progress: ofAttempt(
    1,
    { progress: fc.constantFrom(50, { done: 'half' }) },
    (ports, held, choice) => ports.attempts.reportProgress(held.queue, held, choice.progress),
  ),
  addLog: ofAttempt(1, { line: fc.constantFrom('first', 'second') }, (ports, held, choice) =>
    ports.attempts.addLog(held.queue, held, choice.line),
  ),
  overdue: operation(1, fc.record({ replica }), async (stage, choice) => {
    const { found } = await stage.replica(choice.replica).attempts.overdue();
    return found
      .map(({ queue: name, attempt: { jobId }, isReceived }) => `${name}/${jobId}/${isReceived}`)
      .toSorted();
  }),
  recoverStalled: operation(3, fc.record({ queue, replica }), async (stage, choice) => {
    const { attempts } = stage.replica(choice.replica);
    const name = stage.queue(choice.queue);
    // A check counts only when enough time has passed since the one before.
    await stage.harness.advance(2 * STALLED_GRACE);
    await attempts.recoverStalled(name, MAX_STALLED_COUNT);
    await stage.harness.advance(2 * STALLED_GRACE);
    return attempts.recoverStalled(name, MAX_STALLED_COUNT);
  }),
};

function ofAttempt<Choice extends object>(
  weight: number,
  choices: { readonly [Name in keyof Choice]: fc.Arbitrary<Choice[Name]> },
  act: (ports: QueueReplica, held: Held, choice: Choice) => Promise<unknown>,
) {
  const all = fc.record({ attempt, replica, ...choices }) as fc.Arbitrary<
    { attempt: number; replica: number } & Choice
  >;
  return operation(weight, all, (stage, choice) => {
    const held = stage.attempt(choice.attempt);
    return held === undefined ? NOTHING : act(stage.replica(choice.replica), held, choice);
  });
}
