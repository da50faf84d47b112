import {
  MOST_CHANGED_SETTINGS,
  MOST_SETTINGS_IN_SETS,
} from '../../../src/domain/policies/setting-set.ts';
import type { Attack } from '../attack.ts';
import { several } from '../steps.ts';

const CLIENTS = 8;
const CHANGES = MOST_SETTINGS_IN_SETS / MOST_CHANGED_SETTINGS;

/** What as many settings as sets may have cost, each with the longest names, and the last pages of their list. */
export const SETTING_SETS: readonly Attack[] = [
  {
    name: '100 changes of a set of 100,000 settings, then 100 of its last pages',
    run: async (caller) => {
      await several(CLIENTS, CHANGES, (n) =>
        caller.must('PATCH', '/setting-sets/large', settings(n)),
      );
      const last = `/setting-sets/large?start=${MOST_SETTINGS_IN_SETS - 1000}&length=1000`;
      await several(CLIENTS, 100, () => caller.must('GET', last));
    },
  },
];

function settings(change: number): string {
  const add = Array.from({ length: MOST_CHANGED_SETTINGS }, (_, n) => ({
    kind: 'group',
    queue: `${'q'.repeat(240)}-${change}`,
    id: `${'i'.repeat(240)}-${n}`,
  }));
  return JSON.stringify({ add });
}
