import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { commandLine, runWith } from '../../support/command-line.ts';
import { InProcessService } from '../../support/in-process-service.ts';
import { ServicesOfTest } from '../../support/started-services.ts';

const HEADERS = { Authorization: 'Bearer secret' };

/** Paths of the API with the bodies that are stored there. */
const BODIES: readonly (readonly [method: string, path: string, body: object])[] = [
  ['PUT', '/policy', { maxWaiting: 1000 }],
  [
    'PUT',
    '/queues/mail/policy',
    {
      defaults: { attempts: 3, callback: { url: 'https://a.example/done', headers: HEADERS } },
      callbacks: {
        origins: ['https://a.example'],
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      },
      labels: { team: 'a\u0085\u0001: "b"\nc' },
    },
  ],
  [
    'POST',
    '/workers',
    {
      queue: 'mail',
      endpoint: { url: 'https://a.example/jobs', method: 'POST', headers: HEADERS, signing: true },
      opts: { concurrency: 3 },
    },
  ],
  [
    'PUT',
    '/queues/mail/schedulers/nightly',
    {
      repeat: { pattern: '0 3 * * *' },
      job: { name: 'report', data: { a: ['001', 'yes', null] } },
    },
  ],
  ['PUT', '/queues/mail/groups/acme', { weight: 7, limiter: { max: 10, duration: 1000 } }],
  [
    'PUT',
    '/hooks/on-call',
    { url: 'https://a.example/hooks', events: ['worker.*'], headers: HEADERS },
  ],
  [
    'PUT',
    '/topics/orders/subscriptions/mail',
    {
      queue: 'mail',
      filter: { data: { 'customer.country': ['de', { prefix: 'a' }] } },
      opts: { callback: { url: 'https://a.example/done', headers: HEADERS } },
    },
  ],
];

describe('settings as files', () => {
  const services = new ServicesOfTest(InProcessService);
  let service: InProcessService;
  let folder: string;
  const { run, ok, json } = commandLine(() => service.url);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobgate-settings-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  function fileOf(...documents: readonly unknown[]): string {
    const path = join(folder, 'settings.json');
    writeFileSync(path, JSON.stringify(documents));
    return path;
  }

  beforeEach(async () => {
    service = await services.start({ STORE: 'memory' });
  });
  afterEach(() => services.kill());

  // holds: settings.export, topics.files
  it('are exported with the bodies of the API, without secrets', async () => {
    expect(await ok('export')).to.equal('# There are no settings\n');
    for (const [method, path, body] of BODIES)
      expect((await service.call(method, path, body)).status, path).to.equal(200);
    const text = await ok('export');
    expect(text).not.to.match(/secret|whsec_/);
    const documents = parseAllDocuments(text).map((each) => each.toJS() as unknown);
    expect(documents).to.deep.equal(await json('export'));
    const hidden = { Authorization: null };
    expect(documents).to.deep.equal([
      { kind: 'policy', spec: { maxWaiting: 1000 } },
      {
        kind: 'policy',
        queue: 'mail',
        spec: {
          defaults: { attempts: 3, callback: { url: 'https://a.example/done', headers: hidden } },
          callbacks: { origins: ['https://a.example'], signed: true },
          labels: { team: 'a\u0085\u0001: "b"\nc' },
        },
      },
      {
        kind: 'worker',
        queue: 'mail',
        spec: {
          endpoint: {
            url: 'https://a.example/jobs',
            method: 'post',
            headers: hidden,
            signing: true,
          },
          opts: { concurrency: 3 },
        },
      },
      {
        kind: 'scheduler',
        queue: 'mail',
        id: 'nightly',
        spec: {
          repeat: { pattern: '0 3 * * *', tz: 'UTC' },
          job: {
            name: 'report',
            data: { a: ['001', 'yes', null] },
            opts: {
              attempts: 3,
              callback: { url: 'https://a.example/done', headers: hidden },
            },
          },
          overlap: 'allow',
          paused: false,
        },
      },
      {
        kind: 'group',
        queue: 'mail',
        id: 'acme',
        spec: { weight: 7, limiter: { max: 10, duration: 1000 } },
      },
      {
        kind: 'hook',
        id: 'on-call',
        spec: {
          url: 'https://a.example/hooks',
          events: ['worker.*'],
          headers: hidden,
          signing: true,
          for: 60_000,
          repeat: null,
          format: 'standard',
          paused: false,
        },
      },
      {
        kind: 'topic',
        id: 'orders/mail',
        spec: {
          queue: 'mail',
          filter: { data: { 'customer.country': ['de', { prefix: 'a' }] } },
          opts: { callback: { url: 'https://a.example/done', headers: hidden } },
          onFull: 'refuse',
          paused: false,
        },
      },
    ]);
  });

  // holds: settings.export, rights.urls
  it('are exported as far as a token sees them', async () => {
    for (const [method, path, body] of BODIES)
      expect((await service.call(method, path, body)).status, path).to.equal(200);
    const worker = {
      queue: 'other',
      endpoint: { url: 'https://b.example/secret', method: 'post' },
    };
    expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
    const exportedBy = async (...rights: string[]) => {
      const made = { name: 'team', rights, queues: ['mail'] };
      const { token } = (await service.call('POST', '/tokens', made)).body as { token: string };
      return runWith({ JOBGATE_URL: service.url, JOBGATE_TOKEN: token }, ['export', '--json']);
    };
    const owner = await exportedBy('read', 'data', 'configure');
    expect([owner.code, owner.errors]).to.deep.equal([0, '']);
    const all = await json('export');
    const own = (all as unknown as { kind: string; queue?: string }[]).filter(
      ({ kind, queue }) => queue === 'mail' || kind === 'topic',
    );
    expect(own).to.have.lengthOf(5);
    expect(JSON.parse(owner.output)).to.deep.equal(own);
    const reader = await exportedBy('read', 'data');
    expect([reader.code, reader.errors]).to.deep.equal([
      0,
      'URLs are only origins: the token lacks the right configure\n',
    ]);
    expect(reader.output)
      .to.contain('"url":"https://a.example"')
      .and.not.match(/example\/(jobs|done)/);
  });

  // holds: settings.export
  it('are refused with a sentence where an alias of YAML holds itself, or grows beyond bounds', async () => {
    const laughs = Array.from('bcdefghij', (name) => {
      const above = `*${String.fromCharCode(name.charCodeAt(0) - 1)}`;
      return `${name}: &${name} [${Array(10).fill(above).join(', ')}]`;
    });
    const texts = [
      'kind: policy\nspec: &a\n  labels: *a\n',
      `a: &a [${Array(10).fill('x').join(', ')}]\n${laughs.join('\n')}\nkind: policy\nspec: *j\n`,
    ];
    for (const text of texts) {
      const path = join(folder, 'aliases.yaml');
      writeFileSync(path, text);
      const { code, output, errors } = await run('apply', path);
      expect([code, output]).to.deep.equal([2, '']);
      expect(errors).to.equal(
        `jobgate: ${path} has an alias that holds itself, or aliases that stand for too much\n`,
      );
    }
  });

  // holds: settings.apply
  it('are applied to an empty service, which then answers as the other does', async () => {
    for (const [method, path, body] of BODIES.map(unhidden))
      expect((await service.call(method, path, body)).status, path).to.equal(200);
    const file = join(folder, 'exported.yaml');
    writeFileSync(file, await ok('export'));
    const settings = await json('export');
    const paths = ['/policy', '/queues/mail/policy', '/workers/mail', '/queues/mail/groups/acme'];
    const read = () =>
      Promise.all(paths.map(async (path) => (await service.call('GET', path)).body));
    const before = await read();
    expect(await ok('apply', file)).to.equal('Nothing differs in 7 settings\n');
    service = await services.start({ STORE: 'memory' });
    const dry = await run('apply', file, '--dry-run');
    expect(dry).to.include({ code: 3, errors: 'jobgate: 7 of 7 settings differ\n' });
    expect(await ok('export')).to.equal('# There are no settings\n');
    const applied = await ok('apply', file);
    expect(applied.replaceAll(/whsec_\S+/g, 'whsec_')).to.equal(
      dry.output.replace(
        'Nothing was stored\n',
        'Secret of the worker of mail: whsec_\nSecret of the hook on-call: whsec_\nStored 7 of 7 settings\n',
      ),
    );
    expect(await read()).to.deep.equal(before);
    expect(await json('export')).to.deep.equal(settings);
    expect(await ok('apply', file, '--dry-run')).to.equal('Nothing differs in 7 settings\n');
  });

  /** The same without headers and secrets, which no export has. */
  function unhidden([method, path, body]: (typeof BODIES)[number]) {
    const text = JSON.stringify(body, (name, value: unknown) =>
      name === 'headers' || name === 'secret' ? undefined : value,
    );
    return [method, path, JSON.parse(text) as object] as const;
  }

  // holds: settings.differences
  it('show what differs, of which values of headers and secrets are no part', async () => {
    for (const [method, path, body] of BODIES) await service.call(method, path, body);
    const spec = { endpoint: { url: 'https://a.example/jobs', method: 'POST', signing: true } };
    const worker = (headers: object, opts?: object) =>
      fileOf({
        kind: 'worker',
        queue: 'mail',
        spec: { endpoint: { ...spec.endpoint, headers }, ...(opts && { opts }) },
      });
    const same = worker({ Authorization: 'other' }, { concurrency: 3 });
    expect(await ok('apply', same, '--dry-run')).to.equal('Nothing differs in 1 setting\n');
    expect(await ok('apply', worker({ Authorization: 'other', 'X-A': 'b' }))).to.equal(
      [
        'worker of mail: changed',
        '  endpoint.headers.X-A: (none) -> null',
        '  opts.concurrency: 3 -> (none)',
        'Stored 1 of 1 settings',
        '',
      ].join('\n'),
    );
    const hidden = await run('apply', worker({ Authorization: null }));
    expect(hidden).to.include({ code: 2, errors: 'jobgate: 1 setting refused\n' });
    expect(hidden.output).to.include(
      'worker of mail: refused: it needs a value for endpoint.headers.Authorization: give it in the file\n',
    );
    const policy = fileOf({
      kind: 'policy',
      queue: 'mail',
      spec: { callbacks: { origins: [], secret: 'whsec_AAAA' }, maxWaiting: 7 },
    });
    const shown = await run('apply', policy, '--dry-run');
    expect(shown.output).to.include('maxWaiting: (none) -> 7').and.not.to.include('whsec_');
    expect(shown.output).not.to.include('callbacks.signed');
  });

  // holds: settings.apply
  it('change nothing when they are applied again, with defaults that others decide', async () => {
    const documents = (attempts: number) => [
      {
        kind: 'scheduler',
        queue: 'mail',
        id: 'nightly',
        spec: {
          repeat: { pattern: '0 3 * * *' },
          job: { name: 'a', data: {}, opts: { backoff: 5 } },
        },
      },
      { kind: 'hook', id: 'a', spec: { url: 'https://a.example', events: ['worker.*'] } },
      { kind: 'policy', queue: 'mail', spec: { defaults: { attempts } } },
    ];
    expect(await ok('apply', fileOf(...documents(3)))).to.include('Stored 3 of 3 settings');
    expect(await ok('apply', fileOf(...documents(3)))).to.equal('Nothing differs in 3 settings\n');
    expect(await ok('apply', fileOf(...documents(4)))).to.equal(
      [
        'policy of mail: changed',
        '  defaults.attempts: 3 -> 4',
        'scheduler nightly of mail: changed',
        '  job.opts.attempts: 3 -> 4',
        'Stored 2 of 3 settings',
        '',
      ].join('\n'),
    );
    expect(await ok('apply', fileOf(...documents(4)))).to.equal('Nothing differs in 3 settings\n');
  });

  // holds: settings.apply, destinations.command-line
  it('may be a worker without a URL beside the policy that it needs', async () => {
    const headers = { Authorization: 'secret' };
    const opts = { endpoint: { url: 'https://a.example/in', headers } };
    const files = fileOf(
      { kind: 'worker', queue: 'mail', spec: { endpoint: { url: null, method: 'post' } } },
      {
        kind: 'scheduler',
        queue: 'mail',
        id: 'nightly',
        spec: { repeat: { pattern: '0 3 * * *' }, job: { name: 'a', data: 1, opts } },
      },
      { kind: 'policy', queue: 'mail', spec: { endpoints: { origins: ['https://a.example'] } } },
    );
    expect((await run('apply', files, '--dry-run')).code).to.equal(3);
    expect(await ok('apply', files)).to.include('Stored 3 of 3 settings\n');
    expect(await ok('apply', files)).to.equal('Nothing differs in 3 settings\n');
    const exported = await ok('export');
    expect(exported).to.include('url: null').and.not.to.include('secret');
  });

  // holds: settings.apply
  it('are refused with the name of the setting and of the field', async () => {
    const wrong = fileOf({ kind: 'policy', queue: 'mail', spec: { maxWaiting: 'x' } });
    for (const dry of [[], ['--dry-run']]) {
      const { code, output, errors } = await run('apply', wrong, ...dry);
      expect(code).to.equal(2);
      expect(output).to.match(/^policy of mail: refused: maxWaiting must be /);
      expect(errors).to.equal('jobgate: 1 setting refused\n');
    }
    const { code: mistyped } = await run('apply', join(folder, 'none.yaml'));
    expect(mistyped).to.equal(2);
  });

  // holds: settings.refusals
  it('are checked by the service, and those that are right are stored beside refused ones', async () => {
    const files = fileOf(
      { kind: 'policy', queue: 'mail', spec: { callbacks: { origins: ['https://a.example'] } } },
      {
        kind: 'scheduler',
        queue: 'mail',
        id: 'wrong',
        spec: { repeat: { pattern: '99 3 * * *' }, job: { name: 'a', data: 1 } },
      },
      {
        kind: 'scheduler',
        queue: 'mail',
        id: 'called-back',
        spec: {
          repeat: { pattern: '0 3 * * *' },
          job: { name: 'a', data: 1, opts: { callback: { url: 'https://a.example/done' } } },
        },
      },
      { kind: 'worker', queue: 'mail', spec: { endpoint: { url: 'ftp://a', method: 'post' } } },
      { kind: 'group', queue: 'mail', id: 'acme', spec: { expires: 1 } },
      { kind: 'hook', id: 'a', spec: { url: 'https://a.example', events: ['queue.late'] } },
    );
    const dry = await run('apply', files, '--dry-run');
    expect(dry).to.include({ code: 2, errors: 'jobgate: 4 settings refused\n' });
    expect(await kept()).to.deep.equal([]);
    const { code, output } = await run('apply', files);
    expect(code).to.equal(2);
    for (const lines of [dry.output, output]) {
      expect(lines.match(/^.*: refused: /gm)).to.have.members([
        'scheduler wrong of mail: refused: ',
        'worker of mail: refused: ',
        'group acme of mail: refused: ',
        'hook a: refused: ',
      ]);
    }
    expect(output).to.match(/\nStored 2 of 6 settings\n$/);
    expect(await kept()).to.deep.equal(['policy mail', 'scheduler mail called-back']);
  });

  // holds: settings.apply
  it('make the secret of a signed policy that comes without one, and print it once', async () => {
    const callbacks = { origins: ['https://a.example'], signed: true };
    const signed = fileOf({ kind: 'policy', queue: 'mail', spec: { callbacks } });
    expect(await ok('apply', signed)).to.match(/^Secret of the policy of mail: whsec_\S+$/m);
    expect(await ok('apply', signed)).to.equal('Nothing differs in 1 setting\n');
    const { body } = await service.call('GET', '/queues/mail/policy');
    expect(body).to.deep.equal({ callbacks });
  });

  // holds: settings.apply
  it('leave out later defaults of schedulers that were exported', async () => {
    const body = { repeat: { pattern: '0 3 * * *' }, job: { name: 'a', data: 1 } };
    await service.call('PUT', '/queues/mail/schedulers/older', body);
    const defaults = { attempts: 3, backoff: 1000 };
    await service.call('PUT', '/queues/mail/policy', { defaults });
    await service.call('PUT', '/queues/mail/schedulers/newer', body);
    const file = join(folder, 'exported.yaml');
    writeFileSync(file, await ok('export'));
    expect(await ok('apply', file)).to.equal('Nothing differs in 3 settings\n');
    writeFileSync(file, (await ok('export')).replace('0 3 * * *', '0 4 * * *'));
    expect(await ok('apply', file)).to.equal(
      'scheduler newer of mail: changed\n  repeat.pattern: "0 3 * * *" -> "0 4 * * *"\nStored 1 of 3 settings\n',
    );
    writeFileSync(file, (await ok('export')).replaceAll('0 3 * * *', '0 5 * * *'));
    await ok('apply', file);
    const { body: older } = await service.call('GET', '/queues/mail/schedulers/older');
    expect(older).to.have.nested.property('job.opts').that.deep.equals({ attempts: 0 });
    expect(older).to.have.nested.property('repeat.pattern', '0 5 * * *');
  });

  // holds: settings.differences
  it('are the same without options and with none', async () => {
    const worker = (opts?: object) =>
      fileOf({
        kind: 'worker',
        queue: 'mail',
        spec: { endpoint: { url: 'https://a.example', method: 'post' }, ...(opts && { opts }) },
      });
    await ok('apply', worker({}));
    expect(await ok('apply', worker())).to.equal('Nothing differs in 1 setting\n');
    await service.call('POST', '/workers', {
      queue: 'mail',
      endpoint: { url: 'https://a.example', method: 'post' },
    });
    expect(await ok('apply', worker({}))).to.equal('Nothing differs in 1 setting\n');
  });

  const policy = (queue: string) => ({ kind: 'policy', queue, spec: { maxWaiting: 5 } });
  const hook = { kind: 'hook', id: 'a', spec: { url: 'https://a.example', events: ['worker.*'] } };
  const scheduler = {
    kind: 'scheduler',
    queue: 'mail',
    id: 'nightly',
    spec: { repeat: { pattern: '0 3 * * *' }, job: { name: 'a', data: 1 } },
  };

  const kept = async (): Promise<readonly string[]> =>
    ((await json('export')) as unknown as { kind: string; queue?: string; id?: string }[]).map(
      ({ kind, queue = '', id = '' }) => `${kind} ${queue} ${id}`.trim(),
    );

  // holds: settings.prune
  it('are removed when the files of their set no longer have them, and only these', async () => {
    await service.call('PUT', '/queues/by-hand/policy', { maxWaiting: 1 });
    await ok('apply', fileOf(policy('mail'), scheduler, hook));
    await ok('apply', fileOf(policy('other')), '--set', 'other');
    await ok('apply', fileOf(policy('more')));
    const files = [fileOf(policy('mail')), '--prune'];
    const dry = await run('apply', ...files, '--dry-run');
    const lines = [
      'hook a: removed',
      'scheduler nightly of mail: removed',
      'policy of more: removed',
    ];
    expect(dry).to.deep.include({
      code: 3,
      output: [...lines, 'Nothing was stored', ''].join('\n'),
      errors: 'jobgate: 0 of 1 settings differ, 3 to remove\n',
    });
    const unasked = await run('apply', ...files);
    expect(unasked.code).to.equal(2);
    expect(unasked.errors).to.equal(
      'jobgate: Remove 3 settings that the files no longer have? Add --yes to run it without being asked\n',
    );
    expect(await kept()).to.have.length(6);
    expect(await ok('apply', ...files, '--yes')).to.equal(
      [...lines, 'Stored 0 of 1 settings, removed 3', ''].join('\n'),
    );
    expect(await kept()).to.deep.equal(['policy by-hand', 'policy mail', 'policy other']);
    expect(await ok('apply', ...files, '--dry-run')).to.equal('Nothing differs in 1 setting\n');
  });

  // holds: settings.prune
  it('are not removed a second time when somebody made them again by hand', async () => {
    await ok('apply', fileOf(policy('mail'), policy('more')));
    await ok('apply', fileOf(policy('mail')), '--prune', '--yes');
    await service.call('PUT', '/queues/more/policy', { maxWaiting: 1 });
    expect(await ok('apply', fileOf(), '--prune', '--yes', '--json')).to.equal(
      `${JSON.stringify({
        total: 0,
        changes: [],
        removals: [{ kind: 'policy', queue: 'mail' }],
        refused: [],
        stored: true,
        secrets: [],
      })}\n`,
    );
    expect(await kept()).to.deep.equal(['policy more']);
  });

  // holds: settings.prune
  it('stay when the token may not use their queues', async () => {
    await ok('apply', fileOf(policy('mail-a'), policy('shop')));
    const { body } = await service.call('POST', '/tokens', {
      name: 'mail',
      rights: ['read', 'data', 'configure'],
      queues: ['mail-*'],
    });
    const { token } = body as { readonly token: string };
    const files = [fileOf(policy('mail-b')), '--prune', '--yes', '--token', token];
    expect(await ok('apply', ...files)).to.include('policy of mail-a: removed');
    expect(await kept()).to.deep.equal(['policy mail-b', 'policy shop']);
    const beyond = { add: [{ kind: 'policy', queue: 'shop' }] };
    const refused = await service.call('PATCH', '/setting-sets/default', beyond, token);
    expect(refused.status).to.equal(403);
  });
});
