import type { StalledSweep } from '../../application/maintenance/stalled-sweep.ts';
import { MessageMover } from '../../application/messages/message-mover.ts';
import { MessageMoves } from '../../application/messages/message-moves.ts';
import { MessageQueues } from '../../application/messages/message-queues.ts';
import { MessageReceives } from '../../application/messages/message-receives.ts';
import { MessageSends } from '../../application/messages/message-sends.ts';
import { UrlGroups } from '../../application/messages/url-groups.ts';
import { RetentionSweep } from '../../application/messages/retention-sweep.ts';
import type { JobsParts } from './compose-jobs.ts';
import type { SharedParts } from './shared-parts.ts';

/** What serves programs that speak Amazon SQS or QStash. */
export function composeMessages(
  shared: SharedParts,
  { jobs, jobClaims: claims, attemptReports: reports, receives }: JobsParts['useCases'],
  sweep: StalledSweep,
) {
  const { messageIds: ids, queues } = shared;
  const messageQueues = new MessageQueues(shared);
  return {
    useCases: {
      messageQueues,
      messageSends: new MessageSends(jobs, ids),
      messageReceives: new MessageReceives(receives, messageQueues, queues),
      messageMoves: new MessageMoves({ ...shared, messageQueues, ids }),
      urlGroups: new UrlGroups(shared),
    },
    mover: new MessageMover({ ...shared, claims, reports, sweep, ids }),
    retention: new RetentionSweep(shared),
  };
}
