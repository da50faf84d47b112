import type { Attempt } from '../../../../domain/attempts/attempt.ts';
import { jobJson } from '../../../../domain/jobs/job-json.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { jsonReply, stringify, type Reply } from '../messages/reply.ts';

/** How many characters an answer may have before it gets no more jobs, since all of it is held in memory. */
const LARGEST_ANSWER = 16_777_216;

/** How many characters are serialized before other requests get a turn. */
const TURN = 1_048_576;

/**
 * The answer to a claim.
 *
 * @param giveBack called with the jobs that the client does not get, because the answer is long enough without them or
 * was not delivered.
 */
export async function claimedJobs(
  attempts: readonly Attempt[],
  queuePrefix: string,
  turns: EventLoopTurns,
  giveBack: (attempts: readonly Attempt[]) => void,
): Promise<Reply> {
  const texts: string[] = [];
  let characters = 0;
  let turnEnds = TURN;
  for (const { job, token, children } of attempts) {
    if (characters > turnEnds) {
      turnEnds = characters + TURN;
      await turns.next();
    }
    if (characters > LARGEST_ANSWER) break;
    const text = stringify({
      job: jobJson(job, queuePrefix),
      token,
      ...(children && { children }),
    });
    texts.push(text);
    characters += text.length;
  }
  const sent = attempts.slice(0, texts.length);
  if (sent.length < attempts.length) giveBack(attempts.slice(sent.length));
  return {
    ...jsonReply(`[${texts.join(',')}]`),
    undelivered: () => {
      if (sent.length > 0) giveBack(sent);
    },
  };
}
