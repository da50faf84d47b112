import { KNOWN_CHANGES } from '../../../shared/known-changes.ts';
import * as attemptRecords from '../../../../domain/attempts/attempt-record.ts';
import * as reports from '../../../../domain/attempts/attempt-report.ts';
import * as batches from '../../../../domain/attempts/batch.ts';
import * as breakers from '../../../../domain/attempts/breaker.ts';
import * as expiry from '../../../../domain/attempts/expiry.ts';
import * as retention from '../../../../domain/attempts/retention.ts';
import * as stalled from '../../../../domain/attempts/stalled.ts';
import * as turns from '../../../../domain/attempts/turns.ts';
import {
  DELIVERY_OPTIONS,
  KEPT_DELIVERIES,
} from '../../../../domain/deliveries/delivery-options.ts';
import * as unsentMessages from '../../../../domain/deliveries/unsent-messages.ts';
import * as queueEvents from '../../../../domain/events/queue-event.ts';
import * as groupSettings from '../../../../domain/groups/group-settings.ts';
import * as hookMessages from '../../../../domain/hooks/hook-message.ts';
import * as addIdentity from '../../../../domain/jobs/add-identity.ts';
import * as jobOptions from '../../../../domain/jobs/job-options.ts';
import * as jobs from '../../../../domain/jobs/job.ts';
import * as limiters from '../../../../domain/queues/limiter.ts';
import * as ownQueues from '../../../../domain/queues/own-queue.ts';
import * as flowLimits from '../../../../domain/messages/flow-limit.ts';
import * as limitTurns from '../../../../domain/limits/turns.ts';
import * as slots from '../../../../domain/schedulers/slot.ts';
import * as steps from '../../../../domain/steps/step.ts';
import * as suspensions from '../../../../domain/steps/suspension.ts';
import * as nextJob from '../../../../domain/transitions/next-job.ts';
import * as signals from '../../../../domain/transitions/signals.ts';
import * as suspend from '../../../../domain/transitions/suspend.ts';
import * as acceptanceKeys from '../layout/acceptance-keys.ts';
import * as attemptFields from '../layout/attempt-fields.ts';
import { OUTCOME_CODES, RECORDED } from '../layout/attempt-lines.ts';
import * as callbackFields from '../layout/callback-fields.ts';
import * as callbackKeys from '../layout/callback-keys.ts';
import * as eventValues from '../layout/event-values.ts';
import * as eventsKept from '../layout/events-kept.ts';
import * as expiryKeys from '../layout/expiry-keys.ts';
import * as gateKeys from '../layout/gate-keys.ts';
import * as groupKeys from '../layout/group-keys.ts';
import * as jobSummary from '../layout/job-summary.ts';
import * as pieces from '../layout/largest-piece.ts';
import * as limitKeys from '../layout/limit-keys.ts';
import { OWN_KEY } from '../layout/own-keys.ts';
import * as queueFields from '../layout/queue-fields.ts';
import { ofAllQueues } from '../layout/queue-keys.ts';
import * as redactionKeys from '../layout/redaction-keys.ts';
import * as rememberedAdds from '../layout/remembered-adds.ts';
import * as schedulerFields from '../layout/scheduler-fields.ts';
import * as stepKeys from '../layout/step-keys.ts';
import * as stagingKeys from '../layout/staging-keys.ts';
import * as unsentKeys from '../layout/unsent-keys.ts';
import * as answers from './answers.ts';
import * as reaches from './reaches.ts';

/** The modules whose constants the scripts may name. */
const SHARED: readonly object[] = [
  ...[addIdentity, attemptRecords, batches, breakers, expiry, groupSettings, hookMessages],
  ...[
    jobOptions,
    jobs,
    limiters,
    flowLimits,
    limitTurns,
    nextJob,
    ownQueues,
    queueEvents,
    reports,
    retention,
    signals,
  ],
  ...[slots, stalled, steps, suspend, suspensions, turns, unsentMessages],
  ...[acceptanceKeys, attemptFields, callbackFields, callbackKeys, eventValues, eventsKept],
  ...[expiryKeys, gateKeys, groupKeys, jobSummary, limitKeys, pieces, queueFields, redactionKeys],
  ...[rememberedAdds, schedulerFields, stagingKeys, stepKeys, unsentKeys, answers, reaches],
];

const CONSTANT = /^[A-Z][A-Z0-9_]+$/;

function isShared(entry: [string, unknown]): entry is [string, string | number] {
  return CONSTANT.test(entry[0]) && ['string', 'number'].includes(typeof entry[1]);
}

/** What the scripts share with TypeScript, by the names that both have for it. */
export const CONSTANTS: Readonly<Record<string, string | number>> = {
  ...Object.fromEntries(SHARED.flatMap((module) => Object.entries(module).filter(isShared))),
  DELIVERIES_KEPT: KEPT_DELIVERIES.count,
  DELIVERY_OPTIONS: JSON.stringify(DELIVERY_OPTIONS),
  KNOWN_CHANGES,
  LARGEST_NUMBER: Number.MAX_SAFE_INTEGER,
  OUTCOME_CANCELLED: OUTCOME_CODES.cancelled,
  OUTCOME_DEFERRED: OUTCOME_CODES.deferred,
  OUTCOME_STALLED: OUTCOME_CODES.stalled,
  OUTCOME_SUSPENDED: OUTCOME_CODES.suspended,
  OWN_KEY,
  OWN_QUEUES: ofAllQueues('').registry.slice(1),
  RECORDED,
};
