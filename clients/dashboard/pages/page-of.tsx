import type { VNode } from 'preact';
import { loadedPage } from './loaded-page.tsx';
import { NoPage } from './no-page.tsx';
import { QueuesPage } from './queues/queues-page.tsx';

/** The names in the path of a page; empty where it has none. */
interface Subject {
  readonly queue: string;
  readonly id: string;
}

/** A page below `/dashboard`, whose code is loaded when it is first opened. */
interface LaterPage {
  /** In which `:queue` and `:id` stand for any name. */
  readonly path: string;
  readonly title: (subject: Subject) => string;
  readonly load: () => Promise<(subject: Subject) => VNode>;
}

const LATER: readonly LaterPage[] = [
  {
    path: 'queues/:queue',
    title: ({ queue }) => queue,
    load: async () => (await import('./queue/queue-page.tsx')).QueuePage,
  },
  {
    path: 'queues/:queue/jobs/:id',
    title: ({ id }) => `Job ${id}`,
    load: async () => (await import('./job/job-page.tsx')).JobPage,
  },
  {
    path: 'failures',
    title: () => 'Failures',
    load: async () => (await import('./failures/failures-page.tsx')).FailuresPage,
  },
  {
    path: 'workers',
    title: () => 'Workers',
    load: async () => (await import('./workers/workers-page.tsx')).WorkersPage,
  },
  {
    path: 'workers/:queue',
    title: ({ queue }) => `Worker of ${queue}`,
    load: async () => (await import('./workers/worker-page.tsx')).WorkerPage,
  },
  {
    path: 'hooks',
    title: () => 'Hooks',
    load: async () => (await import('./hooks/hooks-page.tsx')).HooksPage,
  },
  {
    path: 'hooks/:id',
    title: ({ id }) => `Hook ${id}`,
    load: async () => (await import('./hooks/hook-page.tsx')).HookPage,
  },
  {
    path: 'schedulers',
    title: () => 'Schedulers',
    load: async () => (await import('./schedulers/schedulers-page.tsx')).SchedulersPage,
  },
  {
    path: 'flows',
    title: () => 'Flows',
    load: async () => (await import('./flows/flows-page.tsx')).FlowsPage,
  },
  {
    path: 'flows/:queue/:id',
    title: ({ id }) => `Flow ${id}`,
    load: async () => (await import('./flows/flow-page.tsx')).FlowPage,
  },
  {
    path: 'activity',
    title: () => 'Activity',
    load: async () => (await import('./activity/activity-page.tsx')).ActivityPage,
  },
  {
    path: 'system',
    title: () => 'System',
    load: async () => (await import('./system/system-page.tsx')).SystemPage,
  },
];

const PAGES = LATER.map(({ path, title, load }) => {
  return { path: path.split('/'), Page: loadedPage(title, load) };
});

/** The page of a path below `/dashboard`. */
export function pageOf(parts: readonly string[]): VNode {
  if (parts.length === 0 || parts.join('/') === 'queues') return <QueuesPage />;
  for (const { path, Page } of PAGES) {
    const subject = subjectOf(path, parts);
    if (subject !== undefined) return <Page key={parts.join('/')} {...subject} />;
  }
  return <NoPage />;
}

/** The names where the path has them; undefined for parts of another path. */
function subjectOf(path: readonly string[], parts: readonly string[]): Subject | undefined {
  const isOther = path.some((word, index) => !word.startsWith(':') && word !== parts[index]);
  if (path.length !== parts.length || isOther) return undefined;
  const nameOf = (word: string): string => parts[path.indexOf(word)] ?? '';
  return { queue: nameOf(':queue'), id: nameOf(':id') };
}
