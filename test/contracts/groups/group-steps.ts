import type { AttemptEnginePort } from '../../../src/application/ports/attempt-engine-port.ts';
import type { QueuePort } from '../../../src/application/ports/queue-port.ts';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import type { GroupDefaults } from '../../../src/domain/groups/group-settings.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { addEach, ANY, claimOf, COMPLETED, take, type ClaimTerms } from '../queue-steps.ts';

/** The options of a job of a group. */
export function inGroup(id: string, opts: JobOptionsInput = {}, cost?: number): JobOptionsInput {
  return { ...opts, group: { id, ...(cost !== undefined && { cost }) } };
}

/** Adds a job for each letter: one of that group, or without a group for `-`. */
export function addLetters(queues: QueuePort, queue: QueueName, letters: string) {
  const options = letters.split('').map((letter) => (letter === '-' ? {} : inGroup(letter)));
  return addEach(queues, queue, ...options);
}

/** A claim of a worker whose groups have such limits. */
export function within(groups: GroupDefaults): ClaimTerms {
  return { ...ANY, groups };
}

/** The letter that stands for the group of a job. */
export function letterOf({ job }: Attempt): string {
  return job.opts.group?.id ?? '-';
}

/** Starts and ends one job after the other until none starts. @returns the letters of their groups. */
export async function turns(
  attempts: AttemptEnginePort,
  queue: QueueName,
  terms = ANY,
): Promise<string> {
  let letters = '';
  for (;;) {
    const claim = await attempts.claim(queue, claimOf(terms));
    if (claim.kind !== 'attempt') return letters;
    letters += letterOf(claim.attempt);
    await attempts.settle(queue, claim.attempt, COMPLETED);
  }
}

/** Starts jobs until none starts. @returns the letters of their groups. */
export async function starts(
  attempts: AttemptEnginePort,
  queue: QueueName,
  terms = ANY,
): Promise<string> {
  let letters = '';
  for (;;) {
    const claim = await attempts.claim(queue, claimOf(terms));
    if (claim.kind !== 'attempt') return letters;
    letters += letterOf(claim.attempt);
  }
}

/** Takes the next job and ends it. @returns its id. */
export async function settleNext(
  attempts: AttemptEnginePort,
  queue: QueueName,
  ending: AttemptEnding,
  terms: ClaimTerms,
): Promise<string> {
  const attempt = await take(attempts, queue, terms);
  await attempts.settle(queue, attempt, ending);
  return attempt.job.id;
}
