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
