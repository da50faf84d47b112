import type { AttemptEnding } from '../../domain/attempts/ending.ts';
import type { Delivery } from '../../domain/attempts/made-call.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
import {
  bodyText,
  PUSH_NAME,
  pushOptions,
  type FollowingPush,
  type Push,
  type PushContent,
} from '../../domain/messages/push.ts';
import { shownHeaders } from '../../domain/messages/shown-headers.ts';
import type { CalledWorker } from '../../domain/workers/called-worker.ts';
import type { AttemptRun } from '../calls/attempt-runner.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { PushFormatPort } from '../ports/push-format-port.ts';
import { untilStoreAnswers } from '../running/until-store-answers.ts';

/** What came of an attempt, without a record where no call was made. */
export type PushOutcome = Pick<Delivery, 'outcome' | 'answer'>;

export interface PushCallbacksDependencies {
  readonly jobs: Pick<Jobs, 'add'>;
  readonly pushFormats: Pick<PushFormatPort, 'bytes'>;
  readonly logger: LoggerPort;
}

/**
 * Publishes the messages that follow a call for a message: its callback after each attempt, and its failure callback after
 * the last one (further contract, section 24). They are stored before the attempt is recorded, under ids that follow from
 * it: an attempt that is recorded has its callbacks, and none of them twice.
 */
export class PushCallbacks {
  readonly #parts: PushCallbacksDependencies;

  constructor(parts: PushCallbacksDependencies) {
    this.#parts = parts;
  }

  /** Resolves once they are stored, or the attempt was given up. */
  async follow(
    { attempt: { job }, clock, cancellation }: AttemptRun,
    worker: CalledWorker,
    push: Push,
    made: PushOutcome,
    { kind }: AttemptEnding,
  ): Promise<void> {
    const { callback, failureCallback } = push;
    const isFailed = kind === 'failed';
    if (callback === undefined && (failureCallback === undefined || !isFailed)) return;
    const body = this.#bodyOf(job, worker, push, made);
    const isNeeded = (): boolean => !cancellation.isRequested;
    const publish = (following: FollowingPush, prefix: string, data: object): Promise<unknown> =>
      untilStoreAnswers(clock, isNeeded, () => this.#publish(job, following, prefix, data));
    try {
      if (callback !== undefined) await publish(callback, 'cb', body);
      if (failureCallback === undefined || !isFailed) return;
      await publish(failureCallback, 'fcb', { ...body, dlqId: job.id });
    } catch (error) {
      const { queue, id } = job;
      this.#parts.logger.error('A callback could not be published', { queue, job: id, error });
    }
  }

  async #publish(
    { id, attemptsStarted }: Job,
    { endpoint, retryDelay, ...terms }: FollowingPush,
    prefix: string,
    data: object,
  ): Promise<void> {
    // The ids of the jobs of schedules have colons, which clients may not choose.
    const jobId = `${prefix}_${attemptsStarted}_${id.replaceAll(':', '.')}`;
    const opts = pushOptions(jobId, terms);
    const input = { name: PUSH_NAME, data: JSON.stringify(data), opts };
    const mark = { endpoint: { ...endpoint, push: { retryDelay } } };
    await this.#parts.jobs.add(PUSH_QUEUE, [input], undefined, [mark]);
  }

  #bodyOf({ data, ...job }: Job, { endpoint }: CalledWorker, push: Push, made: PushOutcome) {
    const { topic, endpointName, schedule, callerIp, redacted, isBase64 } = push;
    const { outcome, answer } = made;
    const reason = outcome.succeeded ? '' : outcome.reason;
    const isHidden = push.body !== undefined;
    const base64 = (content: PushContent) =>
      this.#parts.pushFormats.bytes(content).toString('base64');
    return {
      status: answer?.status ?? 0,
      header: shownHeaders(answer?.headers ?? {}),
      body: base64({ data: answer?.body ?? reason }),
      retried: job.attemptsMade,
      maxRetries: job.opts.attempts - 1,
      sourceMessageId: job.id,
      topicName: topic,
      endpointName,
      url: endpoint.url,
      method: endpoint.method.toUpperCase(),
      sourceHeader: shownHeaders(endpoint.headers ?? {}, redacted),
      sourceBody: base64({ data: bodyText(data), isBase64: isBase64 === true && !isHidden }),
      notBefore: job.timestamp + job.opts.delay,
      createdAt: job.timestamp,
      scheduleId: schedule,
      callerIP: callerIp,
    };
  }
}
