import type { Patch } from './script-patch.ts';

/** BullMQ keeps no order beyond 2^53 in a score; doubling the step keeps the highest number exact. */
export const exactHighestPriority: Patch = {
  purpose: 'keep the order inside priority 2097152',
  find: '  return priority * 0x100000000 + prioCounter % 0x100000000\n',
  replace: `  if priority >= 0x200000 then
    return priority * 0x100000000 + (prioCounter % 0x100000000) * 2
  end
  return priority * 0x100000000 + prioCounter % 0x100000000
`,
};
