import type { Jobs } from '../../src/application/jobs/jobs.ts';
import { MessageMoves } from '../../src/application/messages/message-moves.ts';
import {
  MessageQueues,
  type MessageQueuesDependencies,
} from '../../src/application/messages/message-queues.ts';
import { MessageReceives } from '../../src/application/messages/message-receives.ts';
import { MessageSends } from '../../src/application/messages/message-sends.ts';
import { UrlGroups } from '../../src/application/messages/url-groups.ts';
import type { KeptUrlGroups } from '../../src/application/kept/url-groups.ts';
import type { Receives } from '../../src/application/messages/receives.ts';
import type { JobControlPort } from '../../src/application/ports/job-control-port.ts';
import type { QueuePort } from '../../src/application/ports/queue-port.ts';
import { UuidMessageIds } from '../../src/infrastructure/uuid-message-ids.ts';

interface MessagesInTest extends MessageQueuesDependencies {
  readonly jobs: Jobs;
  readonly receives: Receives;
  readonly queues: QueuePort;
  readonly control: JobControlPort;
  readonly urlGroups: KeptUrlGroups;
}

/** The use cases of messages over the stores of a test. */
export function messagesInTest(parts: MessagesInTest) {
  const { jobs, receives, queues, control } = parts;
  const ids = new UuidMessageIds();
  const messageQueues = new MessageQueues(parts);
  return {
    messageQueues,
    messageSends: new MessageSends(jobs, ids),
    messageReceives: new MessageReceives(receives, messageQueues, queues),
    messageMoves: new MessageMoves({ messageQueues, queues, control, ids }),
    urlGroups: new UrlGroups(parts),
  };
}
