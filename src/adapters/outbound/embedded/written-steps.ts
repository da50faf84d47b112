import { setImmediate as turn } from 'node:timers/promises';
import type { RunsSteps } from '../memory/ports/steps.ts';
import type { Disk } from './written-port.ts';

/** Steps of which each piece of a large request is a write of its own, or of one with small calls. */
export function writtenSteps(disk: Disk): RunsSteps {
  return {
    stagesRecords: true,
    piece: async (step) => {
      // Calls that came during the write of the last piece are written first.
      await turn();
      disk.check(true);
      const answer = await step();
      await disk.written();
      return answer;
    },
  };
}
