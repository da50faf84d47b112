import type { Attack } from './attack.ts';
import { BODIES } from './attacks/bodies.ts';
import { CANCEL } from './attacks/cancel.ts';
import { CONNECTIONS } from './attacks/connections.ts';
import { FLOWS } from './attacks/flows.ts';
import { HOOKS } from './attacks/hooks.ts';
import { SETTING_SETS } from './attacks/setting-sets.ts';
import { JOB_STEPS } from './attacks/job-steps.ts';
import { LARGE_AT_ONCE } from './attacks/large-at-once.ts';
import { LARGE_READS } from './attacks/large-reads.ts';
import { ENDPOINTS } from './attacks/endpoints.ts';
import { GROUPED } from './attacks/groups.ts';
import { LARGE_ADDS } from './attacks/large-adds.ts';
import { PAGES } from './attacks/pages.ts';
import { PROBES } from './attacks/probes.ts';
import { QUEUED } from './attacks/queues.ts';
import { REMEMBERED } from './attacks/remembered.ts';
import { REPORTS } from './attacks/reports.ts';
import { SCHEDULED } from './attacks/schedulers.ts';
import { SESSIONS } from './attacks/sessions.ts';
import { TOKENS } from './attacks/tokens.ts';
import { LIMITED } from './attacks/limits.ts';
import { TOPICS } from './attacks/topics.ts';
import { WORKERS } from './attacks/workers.ts';

/** All attacks, each measured against a service and a store of its own. */
export const ATTACKS: readonly Attack[] = [
  ...BODIES,
  ...CANCEL,
  ...CONNECTIONS,
  ...LARGE_ADDS,
  ...LARGE_AT_ONCE,
  ...LARGE_READS,
  ...ENDPOINTS,
  ...GROUPED,
  ...PAGES,
  ...PROBES,
  ...REPORTS,
  ...JOB_STEPS,
  ...SCHEDULED,
  ...SESSIONS,
  ...TOKENS,
  ...FLOWS,
  ...QUEUED,
  ...REMEMBERED,
  ...WORKERS,
  ...HOOKS,
  ...SETTING_SETS,
  ...LIMITED,
  ...TOPICS,
];
