import type { ClaimedJobs } from '../../../../application/operations/job-claim-operations.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { jsonReply, stringify, type Reply } from '../messages/reply.ts';

/** How many characters an answer may have before it gets no more jobs, since all of it is held in memory. */
const LARGEST_ANSWER = 16_777_216;

/** How many characters are serialized before other requests get a turn. */
const TURN = 1_048_576;

/**
 * The answer to a claim. It gives back the jobs that the client does not get, because the answer is long enough without
 * them or was not delivered.
 */
export async function claimedJobs(
  { length, jobs, giveBack }: ClaimedJobs,
  turns: EventLoopTurns,
): Promise<Reply> {
  const texts: string[] = [];
  let characters = 0;
  let turnEnds = TURN;
  for (const claimed of jobs) {
    if (characters > turnEnds) {
      turnEnds = characters + TURN;
      await turns.next();
    }
    if (characters > LARGEST_ANSWER) break;
    const text = stringify(claimed);
    texts.push(text);
    characters += text.length;
  }
  const sent = texts.length;
  if (sent < length) giveBack(sent, length);
  return {
    ...jsonReply(`[${texts.join(',')}]`),
    undelivered: () => {
      if (sent > 0) giveBack(0, sent);
    },
  };
}
