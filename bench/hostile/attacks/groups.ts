import type { Attack } from '../attack.ts';
import type { Caller } from '../caller.ts';
import { several } from '../steps.ts';

const GROUPS = 200_000;
const GROUPS_OF_AN_ADD = 5000;
const CLIENTS = 24;

/** As many groups as a queue may have settings of. */
const MOST_CHANGED = 10_000;

const QUEUE = '/queues/grouped';
const SORTS = ['id', 'waiting', 'active', 'oldest'];
const FILTERS = ['', '&state=blocked', '&id=*9*', '&start=5000'];

/** What many groups of jobs cost those who do not use them. */
export const GROUPED: readonly Attack[] = [
  {
    name: '24 lists of 200,000 groups at once',
    prepare: addGroups,
    run: async (caller) => {
      const lists = Array.from({ length: CLIENTS }, (_, client) => {
        const sort = SORTS[client % SORTS.length] ?? '';
        const filter = FILTERS[Math.floor(client / SORTS.length) % FILTERS.length] ?? '';
        return caller.must('GET', `${QUEUE}/groups?length=1000&sort=${sort}${filter}`);
      });
      const began = performance.now();
      await Promise.all(lists);
      console.log(`  all lists were answered after ${Math.round(performance.now() - began)} ms`);
    },
  },
  {
    name: '10,000 groups with settings, held and listed by eight clients',
    prepare: (caller) =>
      several(8, MOST_CHANGED, (n) =>
        caller.must('PUT', `${QUEUE}/groups/group-${n}`, '{"concurrency":1,"weight":100}'),
      ),
    run: async (caller) => {
      await several(8, MOST_CHANGED, (n) =>
        caller.call('POST', `${QUEUE}/groups/group-${n}/hold`, '{"for":60000}'),
      );
      await several(8, 80, () => caller.call('GET', `${QUEUE}/groups?length=1000&sort=waiting`));
    },
  },
];

async function addGroups(caller: Caller): Promise<void> {
  for (let added = 0; added < GROUPS; added += GROUPS_OF_AN_ADD) {
    const jobs = Array.from({ length: GROUPS_OF_AN_ADD }, (_, index) => {
      return { name: 'job', data: 1, opts: { group: { id: `group-${added + index}` } } };
    });
    await caller.must('POST', `${QUEUE}/jobs`, JSON.stringify(jobs));
  }
}
