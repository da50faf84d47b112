import type { QueueDeduplication } from 'jobgate-client';
import { inWords } from '../../../src/domain/values/duration.ts';
import { YES, type Command } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { fields } from '../output/fields.ts';

function pathOf(call: Invocation): string {
  return `/queues/${encodeURIComponent(call.queue)}/deduplication/${encodeURIComponent(call.name(1))}`;
}

export const deduplicationCommands: readonly Command[] = [
  {
    name: 'deduplication show',
    takes: '<queue> <id>',
    count: [2, 2],
    summary: 'show the job that holds a deduplication id',
    run: async (call) => {
      const answer = await call.request<QueueDeduplication>('GET', pathOf(call));
      call.answer(answer, ({ jobId, ttl }) =>
        fields([
          ['queue', call.queue],
          ['id', call.name(1)],
          ['job', jobId],
          ['released', ttl === null ? 'when the job ends' : `in ${inWords(ttl)}`],
        ]),
      );
    },
  },
  {
    name: 'deduplication remove',
    takes: '<queue> <id>',
    count: [2, 2],
    summary:
      'release a deduplication id, so that another job can be added with it; the earlier job stays',
    options: YES,
    run: async (call) => {
      const [, id = ''] = call.names;
      if (!(await call.isWanted(`Release the deduplication id ${id} of ${call.queue}?`))) return;
      await call.request('DELETE', pathOf(call));
      call.answer({ removed: id }, () => `Released the deduplication id ${id} of ${call.queue}`);
    },
  },
];
