import type { Section } from './section.ts';

/** What goes beyond the specification, by its sections. */
export const beyond: readonly Section[] = [
  {
    title: 'Conventions',
    rules: {
      'reserved.job-ids': '`search` and `claim` are refused as custom ids',
    },
  },
  {
    title: 'Jobs',
    rules: {
      'actions.unknown': 'Every action answers 404 for an unknown job',
      'actions.refused':
        '409 `Job is completed`, its real state, where that does not allow the action, and nothing is changed',
      'actions.one-winner': 'Races between replicas end in exactly one winner',
      'actions.remove': 'DELETE `/queues/:queue/jobs/:id` removes a job, 409 while it is active',
      'actions.promote': 'Promote: a delayed job becomes waiting, or prioritized',
      'actions.retry':
        'Retry: a finished job waits again with no attempt made, and new options and data if given',
      'actions.no-body': 'A body whose fields are all optional may be absent',
      'actions.native': 'Native clients find of an action what their own library leaves',
    },
  },
  {
    title: 'Calls to endpoints',
    rules: {
      'calls.method-case': '`endpoint.method` is taken in any case and returned in lower case',
    },
  },
  {
    title: 'Operating it',
    rules: {
      'openapi.document': 'GET `/openapi.json` answers a document of OpenAPI 3.1',
      'openapi.derived': 'The document says what the service takes and answers',
      'openapi.open-enums': 'Enums of answers are declared open, those of requests closed',
      'openapi.page': 'GET `/docs` shows the document without any outside resource',
      'openapi.without-token': 'Both need no token',
    },
  },
];
