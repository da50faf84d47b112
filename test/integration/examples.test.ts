import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { requirePython } from '../support/python.ts';
import { RecordingJobgate } from '../support/recording-jobgate.ts';
import { StartedProgram } from '../support/started-program.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');

const PROGRAMS = [
  {
    language: 'JavaScript',
    command: process.execPath,
    args: [join(EXAMPLES, 'checksum-worker-javascript/worker.js')],
  },
  {
    language: 'Python',
    command: undefined,
    // -B: no compiled files are left in the folder.
    args: ['-B', join(EXAMPLES, 'checksum-worker-python/worker.py')],
  },
];

const TOKEN = 'token-of-the-job';

/** The body of a call as jobgate sends it, for a queue whose names need escaping in a URL. */
function call(data: unknown) {
  const job = {
    id: 'job/1',
    name: 'folder',
    data,
    opts: { attempts: 0, delay: 0 },
    queueQualifiedName: 'bull:check sums',
  };
  return JSON.stringify({ job, token: TOKEN });
}

function file(name: string, content: string) {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, size: Buffer.byteLength(content), sha256 };
}

for (const { language, command, args } of PROGRAMS) {
  describe(`The checksum worker in ${language}`, () => {
    let root: string;
    let jobgate: RecordingJobgate;
    let worker: StartedProgram;
    const undo: (() => Promise<void>)[] = [];

    const start = async (
      env: Readonly<Record<string, string>>,
      ...more: readonly string[]
    ): Promise<StartedProgram> => {
      const started = await StartedProgram.start(
        command ?? (await requirePython()),
        [...args, '--base', join(root, 'base'), '--port', '0', ...more],
        { PYTHONPATH: join(EXAMPLES, '../clients/python/src'), JOBGATE_URL: jobgate.url, ...env },
      );
      undo.push(() => started.kill());
      return started;
    };

    // It keeps nothing from one call to the next, and changes no file.
    before(async () => {
      root = await mkdtemp(join(tmpdir(), 'jobgate-example-'));
      undo.push(() => rm(root, { recursive: true }));
      await mkdir(join(root, 'base/reports/nested'), { recursive: true });
      await mkdir(join(root, 'base/empty'));
      await mkdir(join(root, 'base-next-door'));
      await writeFile(join(root, 'base/reports/b.txt'), 'second\n');
      await writeFile(join(root, 'base/reports/a.txt'), 'erste Zeile: größer\n');
      await writeFile(join(root, 'base-next-door/secret.txt'), 'secret');
      await symlink(join(root, 'base-next-door'), join(root, 'base/way-out'));
      await symlink(
        join(root, 'base-next-door/secret.txt'),
        join(root, 'base/reports/link-to-secret.txt'),
      );
      jobgate = await RecordingJobgate.start();
      undo.push(() => jobgate.stop());
      worker = await start({ JOBGATE_URL: `${jobgate.url}/` }, '--unsigned');
    });

    afterEach(() => jobgate.reset());

    after(async () => {
      for (const step of undo.reverse()) await step();
    });

    const post = async (body: string, { url } = worker) => {
      const headers = { 'jobgate-queue': 'check%20sums' };
      const answer = await fetch(url, { method: 'POST', headers, body });
      const isJson = answer.headers.get('content-type')?.includes('json') === true;
      return { status: answer.status, body: (isJson ? await answer.json() : {}) as object };
    };

    const failed = async (body: string): Promise<readonly [status: number, detail: unknown]> => {
      const answer = await post(body);
      return [answer.status, (answer.body as { readonly detail?: unknown }).detail];
    };

    it('answers the checksums of the files, and reports each as it goes', async () => {
      const [a, b] = [file('a.txt', 'erste Zeile: größer\n'), file('b.txt', 'second\n')];
      expect(await post(call({ folder: 'reports' }))).to.deep.equal({
        status: 200,
        body: { files: [a, b] },
      });
      const job = '/queues/check%20sums/jobs/job%2F1';
      const authorization = `Bearer ${TOKEN}`;
      expect(jobgate.requests).to.deep.equal(
        [
          [`${job}/logs`, `a.txt: ${String(a.size)} bytes, sha256 ${a.sha256}`],
          [`${job}/progress`, { done: 1, total: 2 }],
          [`${job}/logs`, `b.txt: ${String(b.size)} bytes, sha256 ${b.sha256}`],
          [`${job}/progress`, { done: 2, total: 2 }],
        ].map(([path, body]) => ({ method: 'POST', path, authorization, body })),
      );
    });

    it('answers an empty list for an empty folder', async () => {
      expect(await post(call({ folder: 'empty' }))).to.deep.equal({
        status: 200,
        body: { files: [] },
      });
    });

    it('refuses to leave its base folder', async () => {
      for (const folder of [
        '..',
        '../base-next-door',
        '/etc',
        'reports/../../base-next-door',
        'way-out',
      ]) {
        const message = `${folder} is outside of the base folder`;
        expect(await failed(call({ folder }))).to.deep.equal([422, message]);
        expect(jobgate.requests, folder).to.deep.equal([]);
      }
    });

    it('says what is wrong with its data', async () => {
      for (const [data, message] of [
        [{ folder: 'no-such-folder' }, 'There is no folder no-such-folder'],
        [{ folder: 'reports/a.txt' }, 'data.folder is not a folder'],
        [{ folder: 'reports\0' }, 'data.folder must be the path of a folder'],
        [{ folder: 5 }, 'data.folder must be the path of a folder'],
        [{}, 'data.folder must be the path of a folder'],
        [null, 'data.folder must be the path of a folder'],
      ] as const) {
        expect(await failed(call(data)), JSON.stringify(data)).to.deep.equal([422, message]);
      }
    });

    it('refuses a body that is no call', async () => {
      for (const body of ['', 'no JSON', '[]', 'null', '{"job": {"id": "1"}}']) {
        expect(await failed(body), body).to.deep.equal([500, 'The call has no job']);
      }
    });

    describe('with a secret', () => {
      const body = call({ folder: 'empty' });
      const secret = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
      const other = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`;

      let verifying: StartedProgram;

      before(async () => {
        verifying = await start({ JOBGATE_SECRET: secret });
      });

      const signed = async (changes: {
        readonly by?: readonly string[];
        readonly at?: number;
        readonly id?: string;
        readonly body?: string;
      }) => {
        const { by = [secret], at = Date.now(), id = 'msg_1' } = changes;
        const time = new Date(at);
        const signatures = by.map((each) => new Webhook(each).sign('msg_1', time, body));
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at / 1000)),
          'webhook-signature': signatures.join(' '),
        };
        const init = { method: 'POST', headers, body: changes.body ?? body };
        return (await fetch(verifying.url, init)).status;
      };

      // holds: signing.verified
      it('accepts calls with its signature among several', async () => {
        expect(await signed({})).to.equal(200);
        expect(await signed({ by: [other, secret] })).to.equal(200);
        expect(await signed({ at: Date.now() - 240_000 })).to.equal(200);
      });

      // holds: signing.verified
      it('refuses all other calls', async () => {
        expect((await post(body, verifying)).status).to.equal(401);
        expect(await signed({ by: [other] })).to.equal(401);
        expect(await signed({ by: [] })).to.equal(401);
        expect(await signed({ id: 'msg_2' })).to.equal(401);
        expect(await signed({ body: `${body} ` })).to.equal(401);
        expect(await signed({ at: Date.now() - 600_000 })).to.equal(401);
        expect(await signed({ at: Date.now() + 600_000 })).to.equal(401);
        expect(await signed({ at: NaN, by: [] })).to.equal(401);
      });
    });

    it('stops at a job that it no longer holds, and says why', async () => {
      jobgate.refuse(401, 'Unauthorized');
      expect(await failed(call({ folder: 'reports' }))).to.deep.equal([500, 'Unauthorized']);
      expect(jobgate.requests).to.have.length(1);
    });

    it('finishes the call it has when asked to end, and exits with 0', async () => {
      const ending = await start({}, '--unsigned');
      const reported = jobgate.holdNext();
      const answer = post(call({ folder: 'reports' }), ending);
      const release = await reported;
      const ended = ending.end();
      await ending.refusesConnections();
      release();
      expect((await answer).status).to.equal(200);
      expect(await ended).to.equal(0);
    });
  });
}
