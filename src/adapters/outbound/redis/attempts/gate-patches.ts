import { CLOSED_FOR, FORGET_ORDER, GATED } from '../gate/gate-lua.ts';
import type { Patch } from './script-patch.ts';

/**
 * For the scripts that take a job: they give none while the gate of the queue is closed, and then answer as for a
 * limited rate.
 *
 * @param prefix the Lua expression for the prefix of the queue's keys where a job is to be taken.
 */
export function closedGate(prefix: string): readonly Patch[] {
  return [
    {
      purpose: 'keep whether the queue has a gate',
      find: 'local function getQueueMetadata(',
      replace: 'local hasGate\nlocal function getQueueMetadata(',
    },
    {
      purpose: 'read whether the queue has a gate',
      find: '"paused", "concurrency", "max", "duration")\n',
      replace: `"paused", "concurrency", "max", "duration", "${GATED}")
  hasGate = queueAttributes[5]
`,
    },
    {
      purpose:
        'define how long the gate of a queue is closed, and what it knows until a job starts',
      find: 'local function prepareJobForProcessing(',
      replace: `${CLOSED_FOR}${FORGET_ORDER}local function prepareJobForProcessing(`,
    },
    {
      purpose: 'give no job while the gate is closed',
      find: 'local maxJobs = tonumber(rateLimitMax ',
      replace: `local closed = hasGate and closedFor(${prefix}) or 0
if closed > 0 then return {0, 0, closed, 0} end
local maxJobs = tonumber(rateLimitMax `,
    },
    {
      purpose: 'forget the order of the jobs that went back when one starts',
      find: '  -- get a lock\n',
      replace: `  if hasGate then forgetOrder(keyPrefix) end
  -- get a lock
`,
    },
  ];
}
