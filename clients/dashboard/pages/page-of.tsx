import type { VNode } from 'preact';
import { PAGES as ROOMS } from '../frame/pages.ts';
import { loadedPage } from './loaded-page.tsx';
import { NoPage } from './no-page.tsx';
import { QueuesPage } from './queues/queues-page.tsx';

/** The names in the path of a page; empty where it has none. */
interface Subject {
  readonly queue: string;
  readonly id: string;
}

/**
 * The pages below `/dashboard` whose code is loaded when they are first opened, by their paths, in which `:queue` and
 * `:id` stand for any name.
 */
const LATER: Readonly<Record<string, () => Promise<(subject: Subject) => VNode>>> = {
  'queues/:queue': async () => (await import('./queue/queue-page.tsx')).QueuePage,
  'queues/:queue/jobs/:id': async () => (await import('./job/job-page.tsx')).JobPage,
  failures: async () => (await import('./failures/failures-page.tsx')).FailuresPage,
  workers: async () => (await import('./workers/workers-page.tsx')).WorkersPage,
  'workers/:queue': async () => (await import('./workers/worker-page.tsx')).WorkerPage,
  limits: async () => (await import('./limits/limits-page.tsx')).LimitsPage,
  'limits/:id': async () => (await import('./limits/limit-page.tsx')).LimitPage,
  hooks: async () => (await import('./hooks/hooks-page.tsx')).HooksPage,
  'hooks/:id': async () => (await import('./hooks/hook-page.tsx')).HookPage,
  topics: async () => (await import('./topics/topics-page.tsx')).TopicsPage,
  'topics/:id': async () => (await import('./topics/topic-page.tsx')).TopicPage,
  schedulers: async () => (await import('./schedulers/schedulers-page.tsx')).SchedulersPage,
  flows: async () => (await import('./flows/flows-page.tsx')).FlowsPage,
  'flows/:queue/:id': async () => (await import('./flows/flow-page.tsx')).FlowPage,
  activity: async () => (await import('./activity/activity-page.tsx')).ActivityPage,
  system: async () => (await import('./system/system-page.tsx')).SystemPage,
};

/** The titles of the pages of one thing; those of the other pages are their names. */
const TITLES: Readonly<Record<string, (subject: Subject) => string>> = {
  'queues/:queue': ({ queue }) => queue,
  'queues/:queue/jobs/:id': ({ id }) => `Job ${id}`,
  'workers/:queue': ({ queue }) => `Worker of ${queue}`,
  'limits/:id': ({ id }) => `Limit ${id}`,
  'hooks/:id': ({ id }) => `Hook ${id}`,
  'topics/:id': ({ id }) => `Topic ${id}`,
  'flows/:queue/:id': ({ id }) => `Flow ${id}`,
};

const PAGES = Object.entries(LATER).map(([path, load]) => {
  const named = ROOMS.find((room) => room.path.join('/') === path);
  return {
    path: path.split('/'),
    Page: loadedPage(TITLES[path] ?? (() => named?.name ?? ''), load),
  };
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
