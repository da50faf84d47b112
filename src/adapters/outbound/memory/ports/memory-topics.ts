/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  AddedToQueues,
  QueuesRecalled,
  TopicPort,
} from '../../../../application/ports/topic-port.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import { TOPIC_QUEUE } from '../../../../domain/queues/own-queue.ts';
import { newJobRecord } from '../../../../domain/records/job-record.ts';
import { rememberedAdd, rememberOther } from '../../../../domain/transitions/add-once.ts';
import { addToQueues, type QueuedJob } from '../../../../domain/transitions/add-to-queues.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { Adding } from './adding.ts';
import { Steps } from './steps.ts';

/** What the messages of topics become in the memory of this process. */
export function memoryTopics(store: MemoryStore, steps = new Steps()): TopicPort {
  const adding = new Adding(store, steps);
  const recalled = ({ key, body }: AddIdentity, now: number): QueuesRecalled | undefined => {
    const adds = store.find(TOPIC_QUEUE)?.adds;
    const known = adds && rememberedAdd(adds, key, now);
    if (known === undefined) return undefined;
    const { origin, existing } = known;
    return origin === undefined || known.body !== body
      ? { kind: 'other' }
      : { kind: 'repeated', origin, existing };
  };
  return {
    add: async ({ jobs, isDryRun, once, ...limits }) => {
      const known = (now: number) => once && recalled(once.identity, now);
      const at = (position: number) => jobs[position] as QueuedJob;
      return adding.run<AddedToQueues>({
        jobs: jobs.map(({ job }) => job),
        queueOf: (position) => at(position).queue,
        begin: known,
        make: (position, now) => newJobRecord(at(position).id, at(position).job, now),
        all: (now, staged) => {
          const repeated = known(now);
          if (repeated !== undefined) return repeated;
          const open = store.open.bind(store);
          const added = addToQueues(jobs, limits, open, now, isDryRun, staged?.records);
          if ('queues' in added) return { kind: 'full', ...added };
          if (once !== undefined) {
            const { identity, origin } = once;
            rememberOther(store.open(TOPIC_QUEUE), identity, { origin, existing: added }, now);
          }
          return { kind: 'added', existing: added };
        },
      });
    },
    recall: async (identity) => store.run((now) => recalled(identity, now)),
  };
}
