import fc from 'fast-check';
import type { GroupDefaults, GroupSettings } from '../../../src/domain/groups/group-settings.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueReplica } from '../../contracts/queue-harness.ts';
import { duration, queue, replica } from '../choices.ts';
import { operation } from '../operation.ts';
import { QUEUES } from '../stage.ts';
import { LATER } from '../time.ts';

/** What holds for the groups of each queue that have no settings. */
const DEFAULTS: ReadonlyMap<QueueName, GroupDefaults> = new Map(
  QUEUES.map((queue, index) => [queue, index === 0 ? { concurrency: 2 } : { ordered: 'block' }]),
);

export function groupDefaults(queue: QueueName): GroupDefaults | undefined {
  return DEFAULTS.get(queue);
}

/** The groups of all plays. */
export const group = fc.constantFrom('a', 'b', 'c');

const settings = fc.record<GroupSettings>(
  {
    concurrency: fc.constantFrom(1, 3),
    weight: fc.constantFrom(1, 2, 5),
    limiter: fc.constant({ max: 1, duration: LATER }),
  },
  { requiredKeys: [] },
);

/** The actions on groups. */
export const groups = {
  saveSettings: ofGroup(2, { settings }, ({ groups }, name, choice) =>
    groups.saveSettings(name, choice.group, choice.settings),
  ),
  removeSettings: ofGroup(1, {}, ({ groups }, name, choice) =>
    groups.removeSettings(name, choice.group),
  ),
  pauseGroup: ofGroup(1, {}, ({ groups }, name, choice) => groups.pause(name, choice.group)),
  resumeGroup: ofGroup(1, {}, ({ groups }, name, choice) => groups.resume(name, choice.group)),
  holdGroup: ofGroup(1, { duration }, async ({ groups }, name, choice) => {
    // Its end is by the clock of the store.
    await groups.hold(name, choice.group, choice.duration);
  }),
  endHoldOfGroup: ofGroup(1, {}, ({ groups }, name, choice) => groups.endHold(name, choice.group)),
};

function ofGroup<Choice extends object>(
  weight: number,
  choices: { readonly [Name in keyof Choice]: fc.Arbitrary<Choice[Name]> },
  act: (
    ports: QueueReplica,
    queue: QueueName,
    choice: Choice & { group: string },
  ) => Promise<unknown>,
) {
  const all = fc.record({ queue, replica, group, ...choices }) as unknown as fc.Arbitrary<
    { queue: number; replica: number; group: string } & Choice
  >;
  return operation(weight, all, (stage, choice) =>
    act(stage.replica(choice.replica), stage.queue(choice.queue), choice),
  );
}
