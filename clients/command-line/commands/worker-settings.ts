import type { EndpointInput, Worker } from 'jobgate-client';
import type { Declaration, Options } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { given } from '../input/values.ts';
import type { Invocation } from '../invocation.ts';
import { lines } from '../output/fields.ts';
import { transition } from '../settings/difference-lines.ts';
import { differences } from '../settings/differences.ts';
import type { Fields } from '../settings/fields.ts';

const SETTINGS: Options = {
  'timeout <duration>': 'maximum duration of a call',
  signing: 'sign the calls',
  "header <'Name: value'>": { meaning: 'header of each call; may be repeated', isRepeatable: true },
  'concurrency <n>': 'maximum concurrent calls',
  'opts <json>': 'any worker options, spelled as in the API',
  'endpoint <json>': 'any other endpoint fields, spelled as in the API',
};

const METHODS = ['post', 'get', 'put', 'patch', 'delete'];

export const registerCommand: Declaration = {
  usage: 'workers register <queue> [url]',
  summary: 'register the endpoint to call for the jobs of a queue',
  details:
    'Replaces the existing worker of the queue, and prints the settings that it drops; jobgate workers change keeps them. With --signing, prints the secret of a new endpoint once.',
  examples: [
    'workers register mail https://mail.example/jobs --signing --concurrency 20',
    `workers register mail https://mail.example/jobs --opts '{"limiter": {"max": 10, "duration": 1000}}'`,
  ],
  options: {
    'method <method>': { meaning: 'HTTP method of the calls (post)', offered: METHODS },
    destinations: 'no URL: each job names its own endpoint, as the policy of the queue allows',
    ...SETTINGS,
  },
  run: async (call) => {
    const { queue } = call;
    const method = call.text('method') ?? 'post';
    const { 1: url } = call.names;
    if ((url === undefined) !== call.has('destinations'))
      throw new UsageError('Give either the URL of the endpoint or --destinations');
    const endpoint: EndpointInput = { ...endpointOf(call), url: url ?? null, method };
    const opts = optionsOf(call);
    const before = await registered(call);
    const { secret, note } = await call.jobgate.workers.register({ queue, endpoint, opts });
    const dropped = differences(flat(before), flat({ endpoint, opts })).filter(
      ({ to }) => to === undefined,
    );
    const kept = note && `It keeps its secret; jobgate workers rotate ${queue} creates a new one`;
    const answer = {
      ...(secret !== undefined && { secret }),
      ...(dropped.length > 0 && { dropped: dropped.map(({ field, from }) => ({ field, from })) }),
    };
    call.answer(answer, () =>
      lines(`Registered the worker of ${queue}`, ...dropped.map(transition), secret ?? kept),
    );
  },
};

export const changeWorkerCommand: Declaration = {
  usage: 'workers change <queue> [url]',
  summary: 'change some settings of the worker of a queue, and keep all others',
  details:
    'Keeps headers and secrets that no option names; null in --opts or --endpoint removes a field. For a URL of another origin, headers must be given anew.',
  examples: [
    'workers change mail --concurrency 10',
    `workers change mail --opts '{"breaker": {"failures": 5}, "limiter": null}'`,
  ],
  options: {
    'method <method>': { meaning: 'HTTP method of the calls', offered: METHODS },
    ...SETTINGS,
  },
  run: async (call) => {
    const { queue } = call;
    const endpoint = endpointOf(call);
    const opts = optionsOf(call);
    const change = {
      ...(Object.keys(endpoint).length > 0 && { endpoint }),
      ...(Object.keys(opts).length > 0 && { opts }),
    };
    if (Object.keys(change).length === 0)
      throw new UsageError('Give a setting to change, such as --concurrency 10');
    const before = await registered(call);
    const answer = await call.jobgate.workers.change(queue, change);
    const changed = before === undefined ? [] : differences(flat(before), flat(answer));
    call.answer(answer, ({ secret }) =>
      lines(`Changed the worker of ${queue}`, ...changed.map(transition), secret),
    );
  },
};

/** The worker before a command; undefined when there is none, or the token may not read it. */
const registered = (call: Invocation): Promise<Worker | undefined> =>
  call.found('/workers/<queue>', [403, 404]);

/** The settings of a worker, whose endpoint and options have no name in common. */
function flat(worker?: { readonly endpoint: object; readonly opts?: object | undefined }): Fields {
  return { ...worker?.endpoint, ...worker?.opts };
}

function endpointOf(call: Invocation): Fields {
  const headers = headersOf(call);
  const named = given({
    timeout: call.duration('timeout'),
    signing: call.has('signing') || undefined,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
    url: call.names[1],
    method: call.text('method'),
  });
  return { ...call.object('endpoint'), ...named };
}

function optionsOf(call: Invocation): Fields {
  return { ...call.object('opts'), ...given({ concurrency: call.number('concurrency') }) };
}

/** Parses the headers of `--header 'Name: value'`. @throws UsageError for another form. */
function headersOf(call: Invocation): Record<string, string> {
  return Object.fromEntries(
    call.texts('header').map((text) => {
      const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(text) ?? [];
      if (name === undefined || value === undefined) {
        throw new UsageError(`--header must be written as 'Name: value'`);
      }
      return [name, value];
    }),
  );
}
