import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { JobJson } from '../../src/domain/jobs/job-json.ts';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { eventually } from '../support/eventually.ts';
import { isSlowLane } from '../support/lane.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const UP = 'jobgate stays up until you press Ctrl-C.';

/**
 * How long the demo takes on a busy machine, in milliseconds: it first compiles itself, and shows delays of seconds.
 */
const LONGEST_DEMO = 30_000;

/** The demo as a process of its own, with what it has printed so far. */
class Demo {
  readonly lines: string[] = [];
  readonly exited: Promise<[code: number | null, signal: string | null]>;
  readonly #process: ChildProcess;

  /** @param folder where it keeps its jobs. */
  constructor(port: string, folder: string) {
    this.#process = spawn(process.execPath, ['--import', 'tsx', 'scripts/demo.ts'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], PORT: port, STORE_PATH: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = once(this.#process, 'close') as Demo['exited'];
    for (const stream of [this.#process.stdout!, this.#process.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => this.lines.push(line));
    }
  }

  get output(): string {
    return this.lines.join('\n');
  }

  /** The first line that the pattern matches, past or future. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    return eventually(
      `the demo prints ${pattern.source}`,
      () => Promise.resolve(pattern.exec(this.output) ?? undefined),
      LONGEST_DEMO,
    ).catch((cause: unknown) => {
      throw new Error(`The demo printed no ${pattern.source}, but:\n${this.output}`, { cause });
    });
  }

  /** The arguments of the printed command whose path ends like this. */
  command(path: string): { url: string; authorization: string; body: string | undefined } {
    const line = this.lines.find((text) => text.includes('curl ') && text.endsWith(`${path}'`));
    const [, authorization, body, url] =
      /curl -H 'Authorization: (.*?)' (?:-d '(.*?)' )?'(.*)'$/.exec(line ?? '') ?? [];
    if (authorization === undefined || url === undefined) {
      throw new Error(`No command for ${path} in:\n${this.output}`);
    }
    return { url, authorization, body };
  }

  interrupt(): void {
    this.#process.kill('SIGINT');
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }
}

describe('the demo', function () {
  this.timeout(2 * LONGEST_DEMO);

  let demo: Demo | undefined;
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = new TemporaryFolder();
  });

  afterEach(() => {
    demo?.kill();
    folder.remove();
  });

  async function run({ url, authorization, body }: ReturnType<Demo['command']>): Promise<unknown> {
    const response = await fetch(url, {
      headers: { authorization },
      ...(body !== undefined && { method: 'POST', body }),
    });
    expect(response.status).to.equal(200);
    return response.json();
  }

  it('shows jobs being processed, stays up for the commands it prints, and ends on Ctrl-C', async () => {
    demo = new Demo('0', folder.path);
    const { exited } = demo;
    await demo.printed(new RegExp(UP));
    const { output } = demo;
    expect(output).to.match(/#1 +jobgate +completed, returnvalue \{"messageId":/);
    expect(output).to.match(/#2 +jobgate +failed, attempt 2 of 3 in 1 s: Greylisted/);
    expect(output).to.match(/#2 +jobgate +completed/);
    expect(output).to.match(/#3 +jobgate +failed: The address has no @/);
    expect(output).to.match(/Job failed .*status=422 reason="The address has no @"/);
    expect(output).to.match(/#4 +jobgate +completed/);
    expect(output).to.include('{"count":2,"logs":[');
    expect(output).to.match(/Dashboard +http:\/\/127\.0\.0\.1:\d+\/dashboard$/m);
    // The dashboard shows what happens in its queues.
    expect(output).not.to.match(/newsletter|Not a PNG/);

    const jobs = '/queues/welcome-mails/jobs';
    const [added] = (await run(demo.command(jobs))) as JobJson[];
    await demo.printed(/#5 +jobgate +completed/);
    const read = await run(demo.command(`${jobs}/${added?.id ?? ''}`));
    expect(read).to.deep.include({ id: '5', returnvalue: { messageId: 'mail-5@demo.example' } });
    const page = await run(demo.command(`${jobs}?statuses=completed,failed`));
    expect(page).to.have.property('jobs').with.lengthOf(5);
    expect(await run(demo.command(`${jobs}/5/logs`))).to.include({ count: 2 });
    expect(await run(demo.command('/workers'))).to.include.keys('welcome-mails', 'thumbnails');

    demo.interrupt();
    expect(await exited).to.deep.equal([0, null]);
    // Its output is not a terminal here.
    expect(demo.output).not.to.contain('\u001b');
  });

  // The service has its like in lifecycle.test.ts.
  if (isSlowLane) {
    it('starts again on another port, with the jobs of last time', async () => {
      demo = new Demo('0', folder.path);
      await demo.printed(new RegExp(UP));
      demo.interrupt();
      await demo.exited;
      const other = createServer().listen(0);
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      demo = new Demo(String(port), folder.path);
      await demo.printed(new RegExp(UP));
      other.close();
      const [, instead = ''] = await demo.printed(new RegExp(`${port} is taken, so (\\d+) it is`));
      await demo.printed(new RegExp(`REST interface +http://127\\.0\\.0\\.1:${instead}$`, 'm'));
      expect(demo.output).to.match(/^Welcome back\. .* has kept the jobs of last time:$/m);
      expect(demo.output).to.match(/^ +welcome-mails +3 completed, 1 failed$/m);
      expect(demo.output).not.to.match(/#4 +jobgate/);
      await run(demo.command('/queues/welcome-mails/jobs'));
      await demo.printed(/#5 +jobgate +completed/);
      demo.interrupt();
      expect(await demo.exited).to.deep.equal([0, null]);
    });

    it('can be ended at any time', async () => {
      demo = new Demo('0', folder.path);
      await demo.printed(/attempt 1$/m);
      demo.interrupt();
      expect(await demo.exited).to.deep.equal([0, null]);
      expect(demo.output).not.to.include(UP);
    });

    it('has a hook that says when an endpoint fails, and when that is over', async () => {
      demo = new Demo('0', folder.path);
      await demo.printed(/The hook says: worker\.open: receipts: the breaker is open/);
      await demo.printed(/The hook says: worker\.open\.resolved: receipts: over after/);
      demo.interrupt();
      expect(await demo.exited).to.deep.equal([0, null]);
      expect(demo.output.match(/The hook says: worker\.open: /g)).to.have.lengthOf(1);
    });

    it('reports what is wrong with its port, and ends with code 1', async () => {
      demo = new Demo('eighty', folder.path);
      expect(await demo.exited).to.deep.equal([1, null]);
      expect(demo.output).to.include('PORT must be an integer').and.not.to.include('    at ');
    });
  }
});
