import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { answer } from '../../support/endpoint-server.ts';
import { commandLine, PROGRAM, runProgram, runWith } from '../../support/command-line.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';
import { ServiceContext } from '../service/context.ts';

interface Counted {
  readonly matched: number;
}

describe('the command line', () => {
  const services = new StartedServices();
  let service: ServiceProcess;
  const context = new ServiceContext(() => service);

  before(async () => {
    service = await services.start({ STORE: 'memory' });
  });
  afterEach(() => context.cleanUp());
  after(() => services.kill());

  const { run, ok, json } = commandLine(() => service.url);

  /** A queue in which every job has failed. */
  async function failedQueue(...jobs: string[]): Promise<string> {
    const queue = context.newQueue();
    const endpoint = await context.newEndpoint((call, response) =>
      answer(500, `No room for ${JSON.stringify(call.body.job.data)}`)(call, response),
    );
    await context.register(queue, endpoint);
    const added = await context.add(queue, ...jobs.map((name) => ({ name, data: `item ${name}` })));
    for (const { id } of added) await context.finished(queue, id);
    await context.cleanUp();
    return queue;
  }

  // holds: command-line.commands
  it('lists queues in a table for people, and in JSON for programs', async () => {
    const queue = context.newQueue();
    await context.add(queue, { name: 'a', data: 1 }, { name: 'b', data: 2, opts: { delay: 9e6 } });
    const [head, line] = (await ok('queues', `${queue}*`)).split('\n');
    expect(head).to.match(/^QUEUE +ACTIVE +WAITING .* WORKER$/);
    expect(line).to.match(new RegExp(`^${queue} +0 +1 +1 +0 +0 +.* no-worker +-$`));
    const listed = await json('queues', queue);
    expect(listed).to.deep.include({ total: 1 });
    expect(await json('queue', queue)).to.include({ name: queue, paused: false });
  });

  // holds: command-line.commands, figures.failing
  it('lists a queue whose few jobs all failed as failing', async () => {
    const queue = context.newQueue();
    const jobs = await context.add(queue, ...['a', 'b', 'c'].map((name) => ({ name, data: 1 })));
    for (const { id } of jobs) await ok('cancel', queue, id);
    // The figures of a queue are written before they are answered.
    await ok('figures', queue);
    const line = await eventually('the queue is failing', async () =>
      (await ok('queues', queue, '--only', 'failing'))
        .split('\n')
        .find((each) => each.startsWith(queue)),
    );
    expect(line).to.match(new RegExp(`^${queue} .* failing +-$`));
  });

  // holds: command-line.commands
  it('says why no job of a queue starts, and what to do', async () => {
    const queue = context.newQueue();
    await context.add(queue, { name: 'a', data: 1 });
    await ok('pause', queue, '--reason', 'Deploy');
    expect(await ok('why', queue)).to.match(
      RegExp(
        `^The queue is paused by environment:1 since \\S+Z: Deploy\\.\njobgate resume ${queue} starts its jobs again\\.\n$`,
      ),
    );
    const { reason, stop } = await json('why', queue);
    expect(reason).to.equal('paused');
    expect(stop).to.include({ by: 'environment:1', reason: 'Deploy' });
    await ok('resume', queue);
    expect(await ok('why', queue)).to.match(
      /^No worker is registered .*\.\njobgate workers register/,
    );
    await ok('drain', queue, '--yes');
    expect(await ok('why', queue)).to.equal(`${queue} has no waiting jobs\n`);
    expect((await run('why', 'none-such')).code).to.equal(1);
  });

  // holds: command-line.commands
  it('shows a job without its values and log for a token without the right data', async () => {
    const queue = context.newQueue();
    await context.add(queue, { name: 'a', data: 'hidden' });
    const token = { name: 'reader', rights: ['read'], queues: [queue] };
    const { body } = await context.call('POST', '/tokens', token);
    const shown = await ok('show', queue, '1', '--token', (body as { token: string }).token);
    expect(shown)
      .to.match(/^state +waiting$/m)
      .and.not.include('hidden');
  });

  // holds: command-line.commands, sight.blocked-children, sight.blocked-job
  it('says which failed child a parent waits for, of its queue and of the job', async () => {
    const [above, below] = [context.newQueue(), context.newQueue()];
    const child = { queue: below, name: 'part', data: 1, opts: { jobId: 'part' } };
    const flow = { queue: above, name: 'all', data: 1, opts: { jobId: 'all' }, children: [child] };
    expect((await context.call('POST', '/flows', flow)).status).to.equal(200);
    expect(await ok('why', above, 'all')).to.match(
      /^The job waits for a child that does not start: No worker is registered/,
    );
    await ok('cancel', below, 'part', '--yes');
    const inTheWay = `jobgate show ${below} part shows the job in the way; jobgate retry ${below} part retries it if it failed.\n`;
    expect(await ok('why', above)).to.equal(`A job waits for a child that failed.\n${inTheWay}`);
    expect(await ok('why', above, 'all')).to.equal(
      `The job waits for a child that failed.\n${inTheWay}`,
    );
    expect(await ok('why', below, 'part')).to.equal(`Job part of ${below} is failed\n`);
    for (const state of [[], ['--state', 'all']]) {
      expect(await ok('jobs', above, ...state)).to.match(/^all +all +waiting-children/m);
    }
    const empty = context.newQueue();
    await ok('add', empty, 'a', '1');
    await ok('remove', empty, '1', '--yes');
    expect(await ok('jobs', empty)).to.equal(`${empty} has no jobs\n`);
    expect(await ok('jobs', above, '--state', 'failed')).to.equal(
      `${above} has no matching jobs\n`,
    );
  });

  // holds: command-line.commands
  it('shows steps and what a job awaits, sends signals, and has steps done again', async () => {
    const queue = context.newQueue();
    const endpoint = await context.newEndpoint((call, response) => {
      const { steps = {} } = call.body as { steps?: object };
      const waits = { steps: { charge: 1 }, waitFor: { paid: { signal: 'paid:$17' } } };
      const isPaid = 'paid' in steps;
      void answer(isPaid ? 200 : 206, isPaid ? steps : waits)(call, response);
    });
    await context.register(queue, endpoint, { steps: true });
    const [job] = await context.add(queue, { name: 'order', data: 1 });
    const path = `/queues/${queue}/jobs/${job!.id}`;
    const isSuspended = async (): Promise<boolean> => {
      const { body } = await context.call('GET', path);
      return (body as { suspended: object | null }).suspended !== null;
    };
    await eventually('the job waits', isSuspended);
    expect(await ok('show', queue, job!.id)).to.match(/^awaits +paid$/m);
    expect(await ok('why', queue, job!.id))
      .to.include('waits for the signal paid:$17.')
      .and.include(
        `jobgate signal ${queue} 'paid:$17' wakes it; jobgate promote ${queue} ${job!.id}`,
      );
    expect(await ok('queue', queue)).to.match(/^suspended +1$/m);
    expect(await ok('why', queue))
      .to.match(/^The only job is delayed and due in .+; 1 job is suspended\.$/m)
      .and.include('1 of its jobs waits in a step')
      .and.not.include('promote');
    const signal = ['signal', queue, 'paid:$17', '--body', '{"by":"card"}'];
    expect(await ok(...signal)).to.equal(`Woke 1 job of ${queue}\n`);
    await context.finished(queue, job!.id);
    const [head, charge, paid] = (await ok('steps', queue, job!.id)).split('\n');
    expect(head).to.match(/^STEP +KIND +SAVED +BYTES +VALUE$/);
    expect(charge).to.match(/^charge +value .* 1 +1$/);
    expect(paid).to.match(/^paid +signal .* 13 +\{"by": ?"card"\}$/);
    expect((await json('steps', queue, job!.id))['steps']).to.have.lengthOf(2);
    await ok('retry', queue, job!.id, '--steps', 'forget');
    await eventually('the job waits again', isSuspended);
    expect(await json(...signal, '--keep', '1h')).to.deep.equal({ woken: 1 });
    expect((await run('retry', queue, '--all', '--steps', 'forget')).errors).to.equal(
      'jobgate: --steps works only with job ids\n',
    );
  });

  // holds: command-line.commands
  it('pauses and resumes a queue, drains it and deletes it', async () => {
    const queue = context.newQueue();
    await context.add(queue, { name: 'a', data: 1 }, { name: 'b', data: 2, opts: { delay: 9e6 } });
    expect(await ok('pause', queue)).to.equal(`${queue} is paused\n`);
    expect(await ok('queue', queue)).to.match(/^paused +yes$/m);
    expect(await ok('resume', queue)).to.equal(`${queue} is resumed\n`);
    expect(await ok('drain', queue, '--yes')).to.equal('Removed 1 job\n');
    expect(await json('drain', queue, '--delayed', '--yes')).to.deep.equal({ removed: 1 });
    const removed = { jobs: 0, schedulers: 0, worker: false };
    expect(await json('delete', queue, '--yes')).to.deep.equal({ removed });
    const gone = await run('queue', queue);
    expect(gone.code).to.equal(1);
    expect(gone.errors).to.include(`jobgate: There is no queue ${queue}: `);
  });

  // holds: command-line.asks
  it('removes nothing if there is neither a terminal to ask at nor --yes', async () => {
    const queue = await failedQueue('a');
    await context.add(queue, { name: 'waits', data: 1 });
    for (const args of [
      ['delete', queue],
      ['drain', queue],
      ['remove', queue, '1'],
      ['clean', queue, '--all'],
      ['cancel', queue, '--all'],
    ]) {
      const { code, errors } = await run(...args);
      expect([args[0], code]).to.deep.equal([args[0], 2]);
      expect(errors).to.match(
        /^jobgate: (?:Remove|Cancel) .*\? Add --yes to run it without being asked\n$/,
      );
    }
    expect((await json('jobs', queue))['counts']).to.include({ failed: 1 });
  });

  it('neither pauses nor resumes a queue that does not exist, and creates none', async () => {
    const queue = context.newQueue();
    for (const action of ['pause', 'resume']) {
      const { code, output, errors } = await run(action, queue);
      expect([code, output]).to.deep.equal([1, '']);
      expect(errors).to.include(`jobgate: There is no queue ${queue}: `);
    }
    expect(await json('queues', queue)).to.deep.include({ total: 0 });
  });

  // holds: command-line.asks
  it('cancels all jobs of a queue with --yes', async () => {
    const queue = context.newQueue();
    await context.add(queue, { name: 'a', data: 1 }, { name: 'b', data: 2 });
    expect(await ok('cancel', queue, '--all', '--yes')).to.equal('Cancelled 2 jobs\n');
    expect((await json('queue', queue))['counts']).to.include({ failed: 2, waiting: 0 });
  });

  // holds: command-line.exit
  it('continues after a job that fails, and lists the jobs that were changed', async () => {
    const queue = await failedQueue('a', 'b');
    expect(await run('retry', queue, '1', '99', '2')).to.deep.equal({
      code: 1,
      output: 'Retried 2 jobs: 1, 2\n',
      errors: `jobgate: There is no job 99 in ${queue}\njobgate: 1 job of 3 failed\n`,
    });
    const removal = await run('remove', queue, '99', '1', '2', '--yes', '--json');
    expect(removal.code).to.equal(1);
    expect(JSON.parse(removal.output)).to.deep.equal({
      removed: 2,
      jobs: ['1', '2'],
      failed: [{ id: '99', error: `There is no job 99 in ${queue}` }],
    });
  });

  it('prints times in the local zone with its name, and reads such times', async () => {
    const queue = context.newQueue();
    const [job] = await context.add(queue, { name: 'a', data: 1, opts: { delay: 9e6 } });
    const environment = {
      JOBGATE_URL: service.url,
      JOBGATE_TOKEN: ServiceProcess.token,
      TZ: 'Asia/Kolkata',
    };
    const { output } = await runProgram(environment, ['jobs', queue]);
    const [printed = ''] = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+05:30/.exec(output) ?? [];
    const second = Math.floor(job!.timestamp / 1000) * 1000;
    expect(Date.parse(printed)).to.equal(second);
    const next = new Date(second + 1000 + 5.5 * 3_600_000).toISOString().slice(0, 19);
    for (const [option, time, count] of [
      ['--from', printed, 1],
      ['--to', printed.slice(0, 10), 0],
      ['--from', printed.slice(0, 10), 1],
      ['--from', next, 0],
    ] as const) {
      const promotion = ['promote', queue, option, time, '--dry-run', '--json'];
      const { matched } = JSON.parse((await runProgram(environment, promotion)).output) as Counted;
      expect(matched, `${option} ${time}`).to.equal(count);
    }
  });

  it('is silent if its output is not read to the end', async () => {
    const queue = context.newQueue();
    await context.add(
      queue,
      ...Array.from({ length: 900 }, () => ({ name: 'a'.repeat(80), data: 1 })),
    );
    const errors = await new Promise<string>((resolve) => {
      const command = '"$0" "$1" jobs "$2" --limit 900 | true';
      const env = {
        PATH: process.env['PATH'],
        JOBGATE_URL: service.url,
        JOBGATE_TOKEN: ServiceProcess.token,
      };
      execFile('sh', ['-c', command, process.execPath, PROGRAM, queue], { env }, (_, __, err) => {
        resolve(err);
      });
    });
    expect(errors).to.equal('');
  });

  // holds: dead-letters.redrive
  it('brings letters back, to their own queue or to another one, at a rate', async () => {
    const [queue, dead, other] = [context.newQueue(), context.newQueue(), context.newQueue()];
    const callback = { queue: dead, as: 'job', on: ['failed'] };
    const names = ['a', 'b', 'c'];
    const opts = { callback };
    const jobs = await context.add(queue, ...names.map((name) => ({ name, data: 1, opts })));
    for (const [index, { id }] of jobs.entries()) {
      await ok('cancel', queue, id, '--because', `No room for ${index}`);
    }
    await ok('policy', 'set', queue, '--body', JSON.stringify({ callback }));
    expect(await ok('queue', dead)).to.match(RegExp(`^dead letters +of ${queue}$`, 'm'));
    const shown = await ok('show', dead, '1');
    expect(shown).to.match(/^origin +\S+ in \S+ \(failed\): No room for \d$/m);
    expect(shown).not.to.match(/^options /m);
    const all = ['redrive', dead, '--all'];
    expect(await ok(...all, '--dry-run')).to.equal('3 jobs would be brought back\n');
    const one = ['redrive', dead, '--reason', 'room for 0', '--target', other];
    expect(await ok(...one)).to.equal('Brought back 1 job\n');
    expect(await ok(...all, '--rate', '100/1s')).to.equal('Brought back 2 jobs\n');
    expect((await json('queue', other))['counts']).to.include({ waiting: 1 });
    expect((await json('queue', queue))['counts']).to.include({ waiting: 2, failed: 3 });
  });

  // holds: command-line.commands
  it('shows jobs and why they failed, and repairs them', async () => {
    const queue = await failedQueue('a', 'b', 'c');
    const lines = (await ok('jobs', queue, '--state', 'failed')).trim().split('\n');
    expect(lines).to.have.lengthOf(4);
    expect(lines[1]).to.match(/^3 +c +failed +1 +.* No room for "item c"$/);
    expect(await ok('show', queue, '2')).to.match(/^reason +No room for "item b"$/m);
    const { causes } = await json('failures', queue);
    const { cause } = (causes as { cause: string }[])[0]!;
    expect(await ok('failures', queue)).to.include('No room for');
    const all = ['retry', queue, '--cause', cause];
    expect(await ok(...all, '--dry-run')).to.match(/^\d jobs? would be retried\n$/);
    expect(await ok('retry', queue, '--name', 'a')).to.equal('Retried 1 job\n');
    expect(await ok('retry', queue, '2')).to.equal('Retried 1 job\n');
    expect(await ok('cancel', queue, '2', '--because', 'Sold out')).to.equal('Cancelled 1 job\n');
    expect(await json('show', queue, '2')).to.include({ failedReason: 'Sold out' });
    expect(await json('clean', queue, '--all', '--yes')).to.deep.include({ done: 2 });
    expect(await ok('remove', queue, '1', '--yes')).to.equal('Removed 1 job\n');
    expect((await json('queue', queue))['counts']).to.include({ failed: 0, waiting: 0 });
  });

  // holds: command-line.exit
  it('says what went wrong, and ends with 1', async () => {
    const queue = await failedQueue('a');
    for (const [args, errors] of [
      [['promote', queue, '1'], 'Job is failed (409)'],
      [['show', queue, '99'], `There is no job 99 in ${queue}`],
      [
        ['retry', queue, '--cause', '7'],
        `There is no cause 7: jobgate failures ${queue} numbers them`,
      ],
      [['jobs', queue, '--limit', '2000'], '--limit must be an integer from 0 to 1000 (400)'],
      [['audit', '--cursor', 'x'], '--cursor must be a cursor returned by GET /audit (400)'],
      [
        ['add', queue, 'a', '1', '--priority', '9999999'],
        '--priority must be an integer from 0 to 2097152 (400)',
      ],
      [['hold', queue, '0s'], 'The time must be from 1 ms to 1 d (400)'],
      [['signal', queue, 'paid', '--keep', '8d'], '--keep must be from 0 ms to 7 d (400)'],
      [['add', queue, 'a', '1', '--ttl', '0s'], '--ttl must be at least 1 ms (400)'],
      [
        ['workers', 'register', queue, 'nowhere'],
        'The URL must be a valid http or https URL without user name or password (400)',
      ],
      [
        ['schedulers', 'put', queue, 'a', '--body', '{}'],
        'repeat must be an object; job must be an object (400)',
      ],
      ...[
        ['show', '1'],
        ['retry', '1'],
        ['wait', '1'],
        ['schedulers', 'show', 'a'],
        ['groups', 'show', 'a'],
        ['groups', 'pause', 'a'],
        ['groups', 'list'],
      ].map((words) => {
        const at = words[0] === 'groups' || words[0] === 'schedulers' ? 2 : 1;
        const args = [...words.slice(0, at), `${queue}x`, ...words.slice(at)];
        return [args, `There is no queue ${queue}x: did you mean ${queue}?`] as const;
      }),
    ] as const) {
      expect(await run(...args)).to.deep.equal({
        code: 1,
        output: '',
        errors: `jobgate: ${errors}\n`,
      });
    }
    const wrong = await runWith({ JOBGATE_URL: service.url, JOBGATE_TOKEN: 'wrong' }, ['queues']);
    expect(wrong).to.include({ code: 1, errors: 'jobgate: The token is not valid (401)\n' });
    for (const args of [['queues'], ['whoami'], ['tail', queue]]) {
      const path = await runWith(
        { JOBGATE_URL: `${service.url}/wrong`, JOBGATE_TOKEN: ServiceProcess.token },
        args,
      );
      expect(path).to.include({
        code: 1,
        errors: `jobgate: ${service.url}/wrong is not the URL of a jobgate service: it answers HTTP 404\n`,
      });
    }
    const away = { JOBGATE_URL: 'http://127.0.0.1:1', JOBGATE_TOKEN: 'x' };
    const refused = await runWith(away, ['queues']);
    expect(refused.code).to.equal(1);
    expect(refused.errors).to.match(/^jobgate: http:\/\/127\.0\.0\.1:1 cannot be reached: /);
  });

  // holds: command-line.exit
  it('says in one line that another program answers, or an unknown version of the service', async () => {
    for (const [status, text, expected] of [
      [404, '<html>\n<h1>Not found</h1>\n</html>', /is not the URL .*: it answers HTTP 404\n$/],
      [502, '<html>\n</html>', /^jobgate: \S+ answers HTTP 502\n$/],
      [301, '', /is not the URL of a jobgate service: it answers HTTP 301\n$/],
      [200, '<html>\n</html>', /does not answer as jobgate does: .*\n$/],
      [200, '{}', /does not answer as jobgate does: .*\n$/],
    ] as const) {
      const other = await context.newEndpoint(answer(status, text));
      const environment = { JOBGATE_URL: new URL(other.url).origin, JOBGATE_TOKEN: 'x' };
      const { code, errors } = await runWith(environment, ['whoami']);
      expect([text, code]).to.deep.equal([text, 1]);
      expect(errors).to.match(expected);
      expect(errors.trim().split('\n')).to.have.lengthOf(1);
    }
  });

  for (const [args, error] of [
    [['frobnicate'], 'There is no command frobnicate: jobgate help lists them'],
    [['qeues'], 'There is no command qeues: did you mean queues?'],
    [['revoke'], 'There is no command revoke: did you mean tokens revoke?'],
    [['workers', 'lsit'], 'There is no command workers lsit: did you mean workers list?'],
    [['flows'], 'jobgate flows needs one of add, show'],
    [['pause'], '<queue> is missing: jobgate pause <queue>'],
    [['show', 'mail'], '<job> is missing: jobgate show <queue> <job>'],
    [['show', 'mail', '1', '2'], 'Unexpected argument 2: jobgate show <queue> <job>'],
    [['queue', ''], '<queue> must not be empty: jobgate queue <queue>'],
    [['policy', 'remove', '', '--yes'], '[queue] must not be empty'],
    [['groups', 'pause', 'mail', '..'], '<group> must not be ..: jobgate groups pause'],
    [['remove', 'mail', '1', '.', '--yes'], '<job> must not be .: jobgate remove'],
    [['queues', '--token='], '--token must not be empty'],
    [['queues', '--json=yes'], '--json takes no value: jobgate queues -h'],
    [['queues', '--xyzzy'], 'There is no option --xyzzy: jobgate queues -h'],
    [['figures', '--from', '1d', '--to', '2d'], '--to must not be before --from'],
    [['add', 'mail', '--jobs', '[]', '--delay', '5m'], '--delay cannot be combined with --jobs'],
    [
      ['schedulers', 'put', 'mail', 'a', '--body', '{}', '--name', 'b'],
      '--name cannot be combined with --body',
    ],
    [['flows', 'add', '/dev/null'], 'The flow is not valid JSON: /dev/null is empty'],
    [['tail', 'mail', '--events', 'complete'], '--events takes added, waiting,'],
    [['jobs', 'mail', '--state', 'failed,'], '--state takes active, waiting,'],
    [['queues', '--jsn'], 'There is no option --jsn: did you mean --json?'],
    [
      ['retry', 'mail'],
      'Select jobs by id, by options such as --name, or with --all: jobgate retry -h',
    ],
    [['clean', 'mail'], 'Select jobs by options such as --name, or with --all: jobgate clean -h'],
    [
      ['retry', 'mail', '--all', '--name', 'a'],
      '--all cannot be combined with options that select jobs',
    ],
    [['retry', 'mail', '1', '--name', 'a'], '--name cannot be combined with job ids'],
    [['retry', 'mail', '--name', 'a', '--limit', 'x'], '--limit must be a whole number'],
    [['redrive', 'mail', '--all', '--rate', 'x'], '--rate must be a number of jobs and a duration'],
    [['clean', 'mail', '--from', 'soon'], '--from must be a time such as 2026-01-31'],
    [['clean', 'mail', '--from', '2026-02-30'], '--from must be a time such as 2026-01-31'],
    [['clean', 'mail', '--all', '--older-than', '7'], '--older-than must be a duration such as'],
    [['hold', 'mail'], 'Give a duration such as 10m, or --end'],
    [['add', 'mail', 'send', 'hello'], `The data is not valid JSON: a text is '"hello"'`],
    [['add', 'mail', 'send', '@none-such.json'], 'The data cannot be read: ENOENT'],
    [['workers', 'register', 'mail', 'http://a', '--header', 'x'], '--header must be written as'],
    [['groups', 'set', 'mail', 'a', '--limiter', '10'], '--limiter must be written as 10/1s'],
    [['tokens', 'create', 'a'], 'Give --rights, such as --rights add,read'],
    [['failures', '--latest', '5'], '--latest works only with a queue'],
    [
      ['queues', '--only', 'hold'],
      '--only takes paused, held, open, disabled, blocked, failing, idle, not hold, did you mean held?',
    ],
    [['jobs', 'mail', '--state', 'failed,waitin'], '--state takes '],
    [
      ['jobs', 'mail', '--limit', '-1'],
      '--limit needs a value, such as --limit=<n>: jobgate jobs -h',
    ],
    [['jobs', 'mail', '--state'], '--state needs a value'],
    [['queues', '--context', 'none-such'], 'There is no context none-such'],
    [['queues', '--url', 'localhost'], '--url must be an http or https URL'],
  ] as const) {
    // holds: command-line.exit
    it(`ends with 2 for ${args.join(' ')}`, async () => {
      const { code, output, errors } = await run(...args);
      expect([code, output]).to.deep.equal([2, '']);
      expect(errors.startsWith(`jobgate: ${error}`), errors).to.equal(true);
    });
  }

  // holds: command-line.exit
  it('asks for its settings', async () => {
    const missing = await runWith({}, ['queues']);
    expect(missing).to.include({
      code: 2,
      errors:
        'jobgate: There is no token for http://localhost:8080: set JOBGATE_TOKEN, or save one with jobgate login\n',
    });
    const wrong = await runWith({ JOBGATE_URL: 'localhost', JOBGATE_TOKEN: 'x' }, ['queues']);
    expect(wrong).to.include({ code: 2 });
    expect(wrong.errors).to.equal('jobgate: JOBGATE_URL must be an http or https URL\n');
  });

  // holds: command-line.exit
  it('says which variable an option of the service stands for', async () => {
    for (const args of [['--port', '9000'], ['--port=9000']]) {
      const { code, errors } = await runProgram({}, args);
      expect([code, errors]).to.deep.equal([
        2,
        'jobgate: The service is configured by environment variables: set PORT=9000\n',
      ]);
    }
    const { code, errors } = await runProgram({}, ['--url', service.url, 'queues']);
    expect(code).to.equal(2);
    expect(errors).to.match(/^jobgate: Options follow a command, but --url comes first/);
  });

  // holds: command-line.help
  it('explains itself without a service', async () => {
    const texts: string[] = [];
    for (const args of [['help'], ['--help'], ['-h']]) {
      const { code, output } = await runProgram({}, args);
      expect(code).to.equal(0);
      texts.push(output);
      for (const name of ['queues', 'retry', 'delete'])
        expect(output).to.match(RegExp(`^  ${name} `, 'm'));
      expect(output).to.include('JOBGATE_TOKEN');
    }
    expect(new Set(texts)).to.have.lengthOf(1);
    for (const args of [
      ['help', 'retry'],
      ['retry', '--help'],
      ['retry', '-h'],
    ]) {
      const { code, output } = await runWith({}, args);
      expect(code).to.equal(0);
      expect(output).to.match(/^Usage: jobgate retry <queue> \[job\]\.\.\. \[options\]\n/);
      expect(output).to.include('--dry-run');
    }
    expect((await runProgram({}, ['help', 'service'])).output).to.include('AUTH_TOKENS');
    const [short, long] = await Promise.all(
      ['-v', '--version'].map((option) => runProgram({}, [option])),
    );
    expect(short).to.deep.equal(long).and.to.include({ code: 0 });
    for (const args of [
      ['help', 'groups'],
      ['groups', '-h'],
    ]) {
      expect((await runWith({}, args)).output).to.include('groups set <queue> <group>');
    }
  });

  describe('tail', () => {
    /** Follows a queue and reads its lines one after the other. */
    function tail(url: string, ...args: string[]) {
      const lines = new Mailbox<string>();
      const env = {
        PATH: process.env['PATH'],
        JOBGATE_URL: url,
        JOBGATE_TOKEN: ServiceProcess.token,
      };
      const child = spawn(process.execPath, [PROGRAM, 'tail', ...args], { env });
      for (const output of [child.stdout, child.stderr]) {
        createInterface(output).on('line', (line) => {
          lines.put(line);
        });
      }
      return { child, lines, ended: once(child, 'exit') };
    }

    // holds: command-line.tail
    it('shows what happens in a queue until Ctrl-C, for people and for programs', async () => {
      const queue = context.newQueue();
      const people = tail(service.url, queue);
      const programs = tail(service.url, queue, '--events', 'added,paused', '--json');
      await followed(queue, people.lines, programs.lines);
      await context.add(queue, { name: 'resize', data: 1 });
      const shown = await next(people.lines, / {2}added /);
      expect(shown).to.match(
        /^\d{4}-\d\d-\d\d [\d:]{8} [+-]\d\d:\d\d {2}added {6}\d+ {2}name="resize"$/,
      );
      expect(await people.lines.take()).to.match(/ {2}waiting {4}\d+$/);
      const event = JSON.parse(await next(programs.lines, /"added"/)) as Record<string, unknown>;
      expect(event).to.have.all.keys('id', 'event', 'data');
      expect(event['data']).to.include({ queue, name: 'resize' });
      for (const { child, ended } of [people, programs]) {
        child.kill('SIGINT');
        expect(await ended).to.deep.equal([0, null]);
      }
    });

    // holds: command-line.tail
    it('shows what happens in all queues, or in those of a pattern', async () => {
      const queue = context.newQueue();
      const all = tail(service.url);
      const some = tail(service.url, `${queue.slice(0, -1)}*`);
      await followed(queue, all.lines, some.lines);
      await context.add(queue, { name: 'resize', data: 1 });
      for (const { child, lines, ended } of [all, some]) {
        const shown = await next(lines, /"resize"/);
        expect(shown)
          .to.match(/^\S+ \S+ \S+ {2}added {6}\S+ {2}\d+ {2}name="resize"$/)
          .and.include(queue);
        child.kill('SIGINT');
        expect(await ended).to.deep.equal([0, null]);
      }
    });

    // holds: command-line.tail
    it('comes back after a lost connection and misses nothing', async () => {
      const queue = context.newQueue();
      const proxy = await CuttingProxy.start(Number(new URL(service.url).port));
      try {
        const { child, lines, ended } = tail(`http://127.0.0.1:${proxy.port}`, queue, '--json');
        await followed(queue, lines);
        proxy.cutAfter({ received: 1 });
        await context.add(queue, ...['a', 'b', 'c'].map((name) => ({ name, data: 1 })));
        expect(await next(lines, /lost/)).to.equal('The connection is lost, trying again');
        const names: unknown[] = [];
        let isBack = false;
        while (names.length < 3 || !isBack) {
          const line = await next(lines, /"added"|is back/);
          if (line === 'The connection is back') isBack = true;
          else names.push((JSON.parse(line) as { data: { name: string } }).data.name);
        }
        expect(names).to.deep.equal(['a', 'b', 'c']);
        child.kill('SIGINT');
        expect(await ended).to.deep.equal([0, null]);
      } finally {
        await proxy.close();
      }
    });

    // holds: command-line.tail
    it('says that it waits for a queue that does not exist yet', async () => {
      const queue = context.newQueue();
      const { child, lines, ended } = tail(service.url, queue);
      expect(await lines.take()).to.include(`There is no queue ${queue}: `);
      expect(await lines.take()).to.equal('Waiting for its first event');
      await followed(queue, lines);
      child.kill('SIGINT');
      expect(await ended).to.deep.equal([0, null]);
    });

    // holds: command-line.exit
    it('fails at once if it may not follow the queue, or no service answers', async () => {
      const { url } = service;
      expect(await runWith({ JOBGATE_URL: url, JOBGATE_TOKEN: 'no' }, ['tail', 'mail'])).to.include(
        {
          code: 1,
          errors: 'jobgate: The token is not valid (401)\n',
        },
      );
      const nobody = { JOBGATE_URL: 'http://127.0.0.1:1', JOBGATE_TOKEN: 'no' };
      expect((await runWith(nobody, ['tail', 'mail'])).errors).to.include('cannot be reached');
    });

    async function next(lines: Mailbox<string>, wanted: RegExp): Promise<string> {
      for (;;) {
        const line = await lines.take();
        if (wanted.test(line)) return line;
      }
    }

    /** Pauses and resumes a queue until all followers have printed something about it. */
    async function followed(queue: string, ...all: readonly Mailbox<string>[]): Promise<void> {
      const followed = Promise.all(all.map((lines) => next(lines, /paused|resumed/)));
      const isFollowed = followed.then(() => true);
      do {
        await service.call('POST', `/queues/${queue}/pause`);
        await service.call('POST', `/queues/${queue}/resume`);
      } while (!(await Promise.race([isFollowed, Promise.resolve(false)])));
    }
  });

  it('lets no job control the terminal', async () => {
    const queue = context.newQueue();
    await context.add(queue, { name: '\u001b[2Jgone\nnext', data: 1 });
    const output = await ok('jobs', queue);
    expect(output).not.to.include('\u001b');
    expect(output.trim().split('\n')).to.have.lengthOf(2);
  });
});
