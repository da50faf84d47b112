import { PULLED_BY } from './attempt-token.ts';
import type { Patch } from './script-patch.ts';

/** For the script that claims: no call holds a pulled job, so the stalled check must know its queue. */
export const notingPulledJobs: Patch = {
  purpose: 'note a queue whose jobs clients take themselves',
  find: '  -- get a lock\n',
  replace: `  if opts['pulled'] then
    rcall("SADD", opts['pulled'], string.match(keyPrefix, "([^:]+):$"))
    rcall("HSET", jobKey, "${PULLED_BY}", opts['token'])
  end
`,
};

/** For the stalled check, whose last argument is the register of such queues. */
export const forgettingPulledJobs: Patch = {
  purpose: 'forget a queue whose jobs were taken by clients when none is active',
  find: 'local maxCheckTime = ARGV[4]\n',
  replace: `local maxCheckTime = ARGV[4]
if rcall("LLEN", activeKey) == 0 then
    rcall("SREM", ARGV[5], string.match(queueKeyPrefix, "([^:]+):$"))
end
`,
};
