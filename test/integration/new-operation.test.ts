import { expect } from 'chai';
import { EditedCopy } from '../support/edited-copy.ts';

const OPERATIONS = 'src/application/operations/queue-operations.ts';
const PATHS = 'src/adapters/inbound/http/api/paths.ts';
const LISTED_QUEUE = 'src/application/queues/listed-queue.ts';

const IMPORTS = `
import * as shapes from '../../domain/values/shape.ts';
import * as options from './options.ts';
`;

const ROW = `
    greetQueue: operation({
      access: 'operate',
      action: 'queue.greet',
      summary: 'Greet a queue',
      description: 'Nothing else happens.',
      in: {
        ...ofQueue,
        times: options.wholeNumber(shapes.integer(1, 3), 1, 'How often it is greeted'),
        ...withOrder(
          shapes.object('Greeting', { words: shapes.required(shapes.string, 'The words') }),
          'a greeting',
        ),
      },
      out: answers(
        shapes.object('Greeted', { said: shapes.required(shapes.string, 'All that was said') }),
        'The queue is greeted',
      ),
      errors: ['queue-not-found'],
      perform: ({ queue, times, order: { words } }) => ({
        said: Array.from({ length: times }, () => words + ', ' + queue).join('; '),
      }),
      report: { line: 'Queue greeted', fields: (_, { times }) => ({ times }) },
    }),
`;

const LINE = `
      route('POST', '/queues/:queue/greet', queues.greetQueue),
`;

const FIELD = `
  isIdle: required(boolean, 'Whether none of its jobs waits'),
`;

const FILLED = `
    isIdle: glance.counts.waiting === 0,
`;

const DOCUMENTS = `
import { clientTypes } from './scripts/docs/client-types.ts';
import { openApiPage } from './scripts/docs/openapi-page.ts';
import { routesList } from './scripts/docs/routes-list.ts';

const document = openApiPage();
const pages = { document: JSON.parse(document), routes: routesList(document), types: clientTypes(document) };
process.stdout.write(JSON.stringify(pages));
`;

interface Documents {
  readonly document: {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };
  readonly routes: string;
  readonly types: string;
}

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody: object;
  readonly responses: Readonly<Record<string, object>>;
}

describe('A new operation or field', () => {
  let copy: EditedCopy;
  let url: string;
  let documents: Documents;
  const changed = { byOperation: [''], byField: [''] };

  before(async () => {
    copy = new EditedCopy();
    changed.byOperation = copy.change([
      [OPERATIONS, "import { operation } from './operation.ts';", IMPORTS],
      [OPERATIONS, 'figured: FiguredQueues) {\n  return {', ROW],
      [PATHS, "route('GET', '/queues/:queue', queues.readQueue),", LINE],
    ]);
    changed.byField = copy.change([
      [LISTED_QUEUE, 'destinations: destinationsField,', FIELD],
      [LISTED_QUEUE, 'worker: worker?.endpoint.url ?? null,', FILLED],
    ]);
    url = await copy.start({ AUTH_TOKENS: 'all' });
    documents = copy.outputOf(DOCUMENTS) as Documents;
  });

  after(() => copy.remove());

  async function request(method: string, path: string, body?: unknown, token = 'all') {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  const greet = (query: string, body: unknown, token?: string) =>
    request('POST', `/queues/mail/greet${query}`, body, token);

  it('takes a row and a line of paths, for an operation', () => {
    expect(changed.byOperation).to.have.members([OPERATIONS, PATHS]);
  });

  it('is performed for a request, whose path, query and body are its input', async () => {
    const { status, text } = await greet('?times=2', { words: 'Hello' });
    expect(status, text).to.equal(200);
    expect(JSON.parse(text)).to.deep.equal({ said: 'Hello, mail; Hello, mail' });
  });

  it('refuses input that has not its shape, and callers without its right', async () => {
    const tooOften = await greet('?times=4', { words: 'Hello' });
    expect(tooOften).to.deep.equal({ status: 400, text: 'times must be an integer from 1 to 3' });
    const unknown = await greet('?time=2', { words: 'Hello' });
    expect(unknown.text).to.equal('time is not a known query parameter: did you mean times?');
    const wordless = await greet('', { word: 'Hello' });
    expect(wordless.status).to.equal(400);
    expect(wordless.text.split('\n')).to.include('words must be a string');
    const made = await request('POST', '/tokens', { name: 'reader', rights: ['read'] });
    const { token } = JSON.parse(made.text) as { token: string };
    const refused = await greet('', { words: 'Hello' }, token);
    expect(refused).to.deep.equal({ status: 403, text: 'This token lacks the right operate' });
  });

  it('leaves its action in the audit', async () => {
    await greet('', { words: 'Audited' });
    const { text } = await request('GET', '/audit?action=queue.greet');
    const { entries } = JSON.parse(text) as { entries: readonly object[] };
    expect(entries[0]).to.deep.include({
      action: 'queue.greet',
      target: { queue: 'mail' },
      detail: { fields: ['words'], times: 1 },
      outcome: 'ok',
      status: 200,
    });
  });

  it('is in the documents', () => {
    const { document, routes } = documents;
    const { post } = document.paths['/queues/{queue}/greet']!;
    expect(post).to.deep.include({
      operationId: 'greetQueue',
      tags: ['Queues'],
      security: [{ apiToken: ['operate'] }],
    });
    expect(post!.parameters.map(({ name }) => name)).to.deep.equal(['queue', 'times']);
    expect(post!.requestBody).to.have.property('required', true);
    expect(post!.responses).to.include.all.keys('200', '400', '401', '403', '404', '429');
    expect(routes).to.include(
      '- `POST /queues/:queue/greet` (`operate`, `queue.greet`): greet a queue\n',
    );
  });

  it('takes a line of its shape and one that fills it, for a field', async () => {
    await request('POST', '/queues/mail/pause');
    for (const path of ['/queues/mail', '/queues', '/queues?view=figures']) {
      const { text } = await request('GET', path);
      expect(text, path).to.include('"isIdle":true');
    }
    expect(documents.types).to.match(/interface ListedQueue \{[^}]*isIdle: boolean/);
    expect(changed.byField).to.deep.equal([LISTED_QUEUE]);
  });
});
