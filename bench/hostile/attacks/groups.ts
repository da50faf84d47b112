import type { Attack } from '../attack.ts';
import type { Caller } from '../caller.ts';

const GROUPS = 200_000;
const GROUPS_OF_AN_ADD = 5000;
const CLIENTS = 24;

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
];

async function addGroups(caller: Caller): Promise<void> {
  for (let added = 0; added < GROUPS; added += GROUPS_OF_AN_ADD) {
    const jobs = Array.from({ length: GROUPS_OF_AN_ADD }, (_, index) => {
      return { name: 'job', data: 1, opts: { group: { id: `group-${added + index}` } } };
    });
    await caller.must('POST', `${QUEUE}/jobs`, JSON.stringify(jobs));
  }
}
