/** A part of the navigation: its title, and its pages by their files, in reading order. */
export interface NavigationPart {
  readonly title: string;
  readonly pages: readonly string[];
}

/** All pages that are listed. Others, such as decision records, are reached by links. */
export const NAVIGATION: readonly NavigationPart[] = [
  {
    title: 'Start',
    pages: [
      'README.md',
      'docs/migrating.md',
      'docs/native-clients.md',
      'docs/sqs.md',
      'docs/qstash.md',
      'docs/mcp.md',
    ],
  },
  {
    title: 'Jobs',
    pages: [
      'docs/jobs.md',
      'docs/schedulers.md',
      'docs/flows.md',
      'docs/steps.md',
      'docs/topics.md',
      'docs/limits.md',
      'docs/groups.md',
      'docs/batches.md',
      'docs/callbacks.md',
      'docs/events.md',
    ],
  },
  {
    title: 'Workers',
    pages: ['docs/workers.md', 'docs/pull.md', 'docs/hooks.md', 'docs/dead-letters.md'],
  },
  {
    title: 'Clients',
    pages: ['clients/typescript/README.md', 'clients/python/README.md'],
  },
  {
    title: 'Running it',
    pages: [
      'docs/deployment.md',
      'docs/production.md',
      'docs/operations.md',
      'docs/autoscaling.md',
      'docs/postgresql.md',
      'docs/control.md',
      'docs/dashboard.md',
      'docs/metrics.md',
      'docs/traces.md',
      'docs/troubleshooting.md',
      'docs/leaked-token.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'docs/api.md',
      'docs/configuration.md',
      'docs/errors-and-limits.md',
      'docs/access.md',
      'docs/compatibility.md',
      'CHANGELOG.md',
    ],
  },
  {
    title: 'Behind it',
    pages: [
      'docs/reliability.md',
      'docs/performance.md',
      'docs/performance/measurements.md',
      'docs/performance/attacks.md',
      'SECURITY.md',
      'docs/architecture.md',
      'docs/architecture/ports.md',
      'CONTRIBUTING.md',
    ],
  },
];

/** What pages are called in the navigation, where their titles say too little there. */
export const LABELS: Readonly<Record<string, string>> = {
  'README.md': 'What it is',
  'clients/typescript/README.md': 'TypeScript',
  'clients/python/README.md': 'Python',
  'SECURITY.md': 'Threat model',
};
