import type { QueueDeduplication } from 'jobgate-client';
import { inWords } from '../../../src/domain/values/duration.ts';
import { asking, removing } from '../asking.ts';
import type { Declaration } from '../command.ts';
import { fields } from '../output/fields.ts';

export const deduplicationCommands: readonly Declaration[] = [
  asking<QueueDeduplication>({
    usage: 'deduplication show <queue> <id>',
    summary: 'show the job that holds a deduplication id',
    sends: 'GET /queues/<queue>/deduplication/<id>',
    shows: ({ jobId, ttl }, call) =>
      fields([
        ['queue', call.queue],
        ['id', call.name(1)],
        ['job', jobId],
        ['released', ttl === null ? 'when the job ends' : `in ${inWords(ttl)}`],
      ]),
  }),
  removing({
    usage: 'deduplication remove <queue> <id>',
    summary:
      'release a deduplication id, so that another job can be added with it; the earlier job stays',
    sends: 'DELETE /queues/<queue>/deduplication/<id>',
    question: (call) => `Release the deduplication id ${call.name(1)} of ${call.queue}?`,
    shows: ({ removed }, call) => `Released the deduplication id ${removed} of ${call.queue}`,
  }),
];
