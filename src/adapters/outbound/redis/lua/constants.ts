import { BATCH_ID_LENGTH } from '../../../../domain/attempts/batch.ts';
import { KEPT_ATTEMPTS } from '../../../../domain/attempts/attempt-record.ts';
import { REPORT_MEMORY } from '../../../../domain/attempts/attempt-report.ts';
import { PROBE_CHECK } from '../../../../domain/attempts/breaker.ts';
import { EXPIRED_AFTER } from '../../../../domain/attempts/expiry.ts';
import { STALLED_REASON } from '../../../../domain/attempts/stalled.ts';
import { MOST_IDLE } from '../../../../domain/attempts/turns.ts';
import { LONGEST_STRETCH, STRETCHED_BY } from '../../../../domain/queues/limiter.ts';
import { MOST_LOOKED_AT } from '../../../../domain/transitions/next-job.ts';
import { MOST_REMOVED_FOR_AGE } from '../../../../domain/attempts/retention.ts';
import {
  DELIVERY_OPTIONS,
  KEPT_DELIVERIES,
} from '../../../../domain/deliveries/delivery-options.ts';
import {
  FEW_UNSENT,
  MADE_FOR_ONE,
  MOST_CALLBACKS,
  MOST_FAILED_FOR_ONE,
  MOST_UNSENT,
  TOO_MANY_UNSENT,
} from '../../../../domain/deliveries/unsent-messages.ts';
import { MAX_EVENT_VALUE } from '../../../../domain/events/queue-event.ts';
import {
  MOST_REMEMBERED,
  REMEMBERED_FOR,
  REMEMBERED_PIECE,
} from '../../../../domain/jobs/add-identity.ts';
import { MOST_CHANGED_GROUPS } from '../../../../domain/groups/group-settings.ts';
import { KEPT_LOG_LINES } from '../../../../domain/jobs/job-options.ts';
import { MOST_RETURNED } from '../../../../domain/hooks/hook-message.ts';
import { CALLBACK_QUEUE, OF_HELD, OF_HOOK } from '../../../../domain/queues/own-queue.ts';
import { LATE } from '../../../../domain/schedulers/slot.ts';
import { KEPT_REASONS } from '../../../../domain/jobs/job.ts';
import { ACCEPTANCES, ACCEPTED, LONGER, REPORTS } from '../layout/acceptance-keys.ts';
import * as attemptFields from '../layout/attempt-fields.ts';
import { OUTCOME_CODES, RECORDED } from '../layout/attempt-lines.ts';
import { CALLS_UNSENT, HELD_BACK } from '../layout/callback-keys.ts';
import { CALLED_BACK } from '../layout/callback-fields.ts';
import { LEFT_OUT } from '../layout/event-values.ts';
import { EVENTS_KEPT } from '../layout/events-kept.ts';
import { EXPIRES, EXPIRING, EXPIRING_QUEUES } from '../layout/expiry-keys.ts';
import * as gateKeys from '../layout/gate-keys.ts';
import * as groupKeys from '../layout/group-keys.ts';
import { DATA_SIZE, DELAY_SCORE, SHORT_REASON } from '../layout/job-summary.ts';
import * as pieces from '../layout/largest-piece.ts';
import { OWN_KEY } from '../layout/own-keys.ts';
import { registryKey } from '../layout/queue-keys.ts';
import { LISTED } from '../layout/queue-fields.ts';
import { REDACTED, REDACTED_UP_TO } from '../layout/redaction-keys.ts';
import { REMEMBERED } from '../layout/remembered-adds.ts';
import {
  ENDED_WITH,
  LAST,
  LAST_ENDED,
  LATE_START,
  OVERLAP,
  PAUSED,
  RUN_BY_HAND,
} from '../layout/scheduler-fields.ts';
import * as stagingKeys from '../layout/staging-keys.ts';
import { IS_FULL, UNSENT } from '../layout/unsent-keys.ts';
import * as answers from './answers.ts';
import * as reaches from './reaches.ts';

/** What the scripts share with TypeScript, by the names that both have for it. */
export const CONSTANTS: Readonly<Record<string, string | number>> = {
  ...answers,
  ...attemptFields,
  ...gateKeys,
  ...groupKeys,
  ...pieces,
  ...reaches,
  ...stagingKeys,
  ACCEPTANCES,
  ACCEPTED,
  BATCH_ID_LENGTH,
  CALLBACK_QUEUE,
  CALLED_BACK,
  CALLS_UNSENT,
  DATA_SIZE,
  DELAY_SCORE,
  DELIVERIES_KEPT: KEPT_DELIVERIES.count,
  DELIVERY_OPTIONS: JSON.stringify(DELIVERY_OPTIONS),
  ENDED_WITH,
  EVENTS_KEPT,
  EXPIRED_AFTER,
  EXPIRES,
  EXPIRING,
  EXPIRING_QUEUES,
  FEW_UNSENT,
  HELD_BACK,
  IS_FULL,
  KEPT_ATTEMPTS,
  KEPT_LOG_LINES,
  KEPT_REASONS,
  LARGEST_NUMBER: Number.MAX_SAFE_INTEGER,
  LAST,
  LAST_ENDED,
  LATE,
  LATE_START,
  LEFT_OUT,
  LISTED,
  LONGER,
  LONGEST_STRETCH,
  MADE_FOR_ONE,
  MAX_EVENT_VALUE,
  MOST_CALLBACKS,
  MOST_CHANGED_GROUPS,
  MOST_FAILED_FOR_ONE,
  MOST_IDLE,
  MOST_LOOKED_AT,
  MOST_REMEMBERED,
  MOST_REMOVED_FOR_AGE,
  MOST_RETURNED,
  MOST_UNSENT,
  OF_HELD,
  OF_HOOK,
  OUTCOME_CANCELLED: OUTCOME_CODES.cancelled,
  OUTCOME_DEFERRED: OUTCOME_CODES.deferred,
  OUTCOME_STALLED: OUTCOME_CODES.stalled,
  OVERLAP,
  OWN_KEY,
  OWN_QUEUES: registryKey('').slice(1),
  PAUSED,
  PROBE_CHECK,
  RECORDED,
  REDACTED,
  REDACTED_UP_TO,
  REMEMBERED,
  REMEMBERED_FOR,
  REMEMBERED_PIECE,
  REPORT_MEMORY,
  REPORTS,
  RUN_BY_HAND,
  SHORT_REASON,
  STALLED_REASON,
  STRETCHED_BY,
  TOO_MANY_UNSENT,
  UNSENT,
};
