import type { Section } from './section.ts';

/** What requests, endpoints and shortages cannot do, also those that once did harm (SECURITY.md). */
export const security: readonly Section[] = [
  {
    title: 'What one cannot do to all',
    rules: {
      'security.own-keys': 'The own keys of the service are keys that no queue and no job can have',
      'security.deep-answer': 'An answer that is nested too deep is kept as its text',
      'security.unrecorded-result': 'An attempt whose result cannot be recorded ends as failed',
      'security.refused-connection':
        'A connection to the store whose SELECT, AUTH or HELLO failed is not used',
      'security.half-closed':
        'A client that half-closes its connection after the request is answered',
      'security.pipelining': 'The exchanges in flight on a connection are bounded',
      'security.folder': 'A folder of the store that other users may write is a warning',
      'security.readiness': 'Readiness is checked once for all who ask',
      'security.broken-record':
        'A job with a field that cannot be read fails with a reason that names it, and its queue goes on',
      'security.broken-record-shown': 'A job with a field that cannot be read is shown',
      'security.beside-the-answer': 'What an endpoint sends besides its answer is bounded',
      'security.decoding': 'Compressed answers are decoded a few at a time',
      'security.outage-log':
        'The log has one line for the begin of an outage, with its true cause, and one for its end',
      'security.emptied-store':
        'A store that comes back without its data is one warning: what it held, and what it holds now',
      'security.store-refusals':
        'Each cause for which the store refuses commands is logged, at growing intervals',
      'security.missing-right': 'A replica without a right that adds need is not ready',
      'security.failed-jobs-logged':
        'A job that failed for good is a line of the log, ten a second for a queue, the rest counted',
      'security.mistakes-logged': 'A mistake of a client is logged with its code, field and queue',
      'security.unauthorized-counted':
        'Requests without a valid token are counted, in one line in 10 s',
      'security.log-instance': 'Each line of the log carries the `instance` that wrote it',
      'security.log-lines': 'All output is lines of the log, where `error` is always an object',
      'security.log-reader': 'The service goes on when nothing reads its log',
      'security.mistaken-variable': 'A variable that is probably meant otherwise is named at start',
      'security.kubernetes-port':
        'The error about STORE_PORT says so when Kubernetes set it for a service named `store`',
      'security.ambiguous-requests':
        'Chunks in HTTP/1.0, two `Host` or `Authorization` headers and other versions of HTTP are refused',
      'security.keys-as-job-ids':
        'The other keys of a queue are no jobs: whatever is asked of one as a job id is 404, or 401 with a job token',
      'security.forged-cursor': 'A cursor that was made up is 400',
      'security.announced-bodies': 'A body counts as far as it has come, not as it is announced',
      'security.token-before-body':
        'The token of a report beyond 16 kB is checked before its body is taken',
      'security.idle-body': 'A body of which no byte comes for 10 s is 408',
      'security.budget-of-one':
        'No caller has all of the memory for large requests: no API token, no queue of job tokens',
      'security.long-texts': 'An error repeats at most 200 characters of a client',
      'security.unasked-continue': 'An unrequested `100 Continue` is ignored',
      'security.shared-run': 'An add that fails fails no other that shares its run of the script',
      'security.key-types': 'Keys of another type are found before anything is written',
      'security.store-rights':
        'The documented rights in Redis are enough and needed: with one less a replica is not ready, or its log says so',
      'security.endpoint-authority': 'NODE_EXTRA_CA_CERTS holds for both webhook clients',
      'security.bullmq-5': 'BullMQ 5 shares queues with the service',
      'security.worker-size': 'A worker beyond 256 kB is 413',
      'security.sent-once': 'No command is sent twice when an answer is lost in a cluster',
      'security.echoed-request':
        'An endpoint that repeats its request is logged by its status, not by its words',
      'security.unread-answer':
        'One piece of an answer that is not read is kept, until the time of the exchange is over',
    },
  },
];
