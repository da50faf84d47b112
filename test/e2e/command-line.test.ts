import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { answer } from '../support/endpoint-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

interface Run {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

const PROGRAM = join(import.meta.dirname, '../..', ServiceProcess.program);

describe('the command line', () => {
  const services = new StartedServices();
  let service: ServiceProcess;
  const context = new ServiceContext(() => service);

  before(async () => {
    service = await services.start({ STORE: 'memory' });
  });
  afterEach(() => context.cleanUp());
  after(() => services.kill());

  function runWith(environment: Readonly<Record<string, string>>, args: string[]): Promise<Run> {
    const env = { PATH: process.env['PATH'], ...environment };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [PROGRAM, ...args], { env }, (error, out, err) => {
        resolve({ code: Number(error?.code ?? 0), output: out, errors: err });
      });
      child.stdin?.end();
    });
  }

  const run = (...args: string[]): Promise<Run> =>
    runWith({ JOBGATE_URL: service.url, JOBGATE_TOKEN: ServiceProcess.token }, args);

  async function ok(...args: string[]): Promise<string> {
    const { code, output, errors } = await run(...args);
    expect(errors).to.equal('');
    expect(code).to.equal(0);
    return output;
  }

  const json = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await ok(...args, '--json')) as Record<string, unknown>;

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
    expect(line).to.match(new RegExp(`^${queue} +0 +1 +0 +1 +0 +0 +.* -$`));
    const listed = await json('queues', queue);
    expect(listed).to.deep.include({ total: 1 });
    expect(await json('queue', queue)).to.include({ name: queue, paused: false });
  });

  // holds: command-line.commands
  it('pauses and resumes a queue, drains it and deletes it', async () => {
    const queue = context.newQueue();
    await context.add(queue, { name: 'a', data: 1 }, { name: 'b', data: 2, opts: { delay: 9e6 } });
    expect(await ok('pause', queue)).to.equal(`${queue} is paused\n`);
    expect(await ok('queue', queue)).to.include('(paused)');
    expect(await ok('resume', queue)).to.equal(`${queue} is resumed\n`);
    expect(await ok('drain', queue, '--yes')).to.equal('Removed 1 job\n');
    expect(await json('drain', queue, '--delayed', '--yes')).to.deep.equal({ removed: 1 });
    const removed = { jobs: 0, schedulers: 0, worker: false };
    expect(await json('delete', queue, '--yes')).to.deep.equal({ removed });
    expect(await run('queue', queue)).to.include({ code: 1, errors: 'jobgate: Not found (404)\n' });
  });

  // holds: command-line.asks
  it('removes nothing where nobody can be asked and nobody said yes', async () => {
    const queue = await failedQueue('a');
    for (const args of [
      ['delete', queue],
      ['drain', queue],
      ['remove', queue, '1'],
      ['clean', queue, '--all'],
    ]) {
      const { code, errors } = await run(...args);
      expect([args[0], code]).to.deep.equal([args[0], 2]);
      expect(errors).to.match(/^jobgate: Remove .*\? Say --yes where nobody can be asked\n$/);
    }
    expect((await json('jobs', queue))['counts']).to.include({ failed: 1 });
  });

  // holds: command-line.commands
  it('shows jobs and why they failed, and repairs them', async () => {
    const queue = await failedQueue('a', 'b', 'c');
    const lines = (await ok('jobs', queue, '--status', 'failed')).trim().split('\n');
    expect(lines).to.have.lengthOf(4);
    expect(lines[1]).to.match(/^3 +c +failed +1 +.* No room for "item c"$/);
    expect(await ok('show', queue, '2')).to.include('failedReason: No room for "item b"\n');
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
  it('tells what went wrong, and ends with 1', async () => {
    const queue = await failedQueue('a');
    for (const [args, errors] of [
      [['promote', queue, '1'], 'Job is failed (409)'],
      [['show', queue, '99'], 'Job not found (404)'],
      [['jobs', queue, '--length', '2000'], 'length must be an integer from 0 to 1000 (400)'],
    ] as const) {
      expect(await run(...args)).to.deep.equal({
        code: 1,
        output: '',
        errors: `jobgate: ${errors}\n`,
      });
    }
    const wrong = await runWith({ JOBGATE_URL: service.url, JOBGATE_TOKEN: 'wrong' }, ['queues']);
    expect(wrong).to.include({ code: 1, errors: 'jobgate: The token is not valid (401)\n' });
    const away = { JOBGATE_URL: 'http://127.0.0.1:1', JOBGATE_TOKEN: 'x' };
    const refused = await runWith(away, ['queues']);
    expect(refused.code).to.equal(1);
    expect(refused.errors).to.match(/^jobgate: http:\/\/127\.0\.0\.1:1 cannot be reached: /);
  });

  for (const [args, error] of [
    [['frobnicate'], 'There is no command frobnicate: jobgate help'],
    [['pause'], 'Usage: jobgate pause <queue>'],
    [['show', 'mail'], 'Usage: jobgate show <queue> <job>'],
    [['queues', '--colour'], "Unknown option '--colour': jobgate help queues"],
    [['retry', 'mail'], 'Name jobs, or say which by options such as --name, or say --all'],
    [['retry', 'mail', '--all', '--name', 'a'], 'Name jobs, or say which by options'],
    [['retry', 'mail', '--name', 'a', '--limit', 'x'], '--limit must be a whole number'],
    [['clean', 'mail', '--from', 'soon'], '--from must be a time such as 2026-01-31'],
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
      errors: 'jobgate: JOBGATE_TOKEN must be an API token\n',
    });
    const wrong = await runWith({ JOBGATE_URL: 'localhost', JOBGATE_TOKEN: 'x' }, ['queues']);
    expect(wrong).to.include({ code: 2 });
    expect(wrong.errors).to.equal('jobgate: JOBGATE_URL must be an http or https URL\n');
  });

  // holds: command-line.help
  it('explains itself without a service', async () => {
    for (const args of [['help'], ['--help']]) {
      const { code, output } = await runWith({}, args);
      expect(code).to.equal(0);
      for (const name of ['queues', 'retry', 'delete'])
        expect(output).to.match(RegExp(`^  ${name} `, 'm'));
      expect(output).to.include('JOBGATE_TOKEN');
    }
    for (const args of [
      ['help', 'retry'],
      ['retry', '--help'],
    ]) {
      const { code, output } = await runWith({}, args);
      expect(code).to.equal(0);
      expect(output).to.match(/^Usage: jobgate retry <queue> \[job\]\.\.\. \[options\]\n/);
      expect(output).to.include('--dry-run');
    }
  });

  it('lets no job steer the terminal', async () => {
    const queue = context.newQueue();
    await context.add(queue, { name: '\u001b[2Jgone\nnext', data: 1 });
    const output = await ok('jobs', queue);
    expect(output).not.to.include('\u001b');
    expect(output.trim().split('\n')).to.have.lengthOf(2);
  });
});
