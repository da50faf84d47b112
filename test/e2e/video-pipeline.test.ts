import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedProgram } from '../support/started-program.ts';
import { StartedServices } from '../support/started-services.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/video-pipeline-flow');

interface Node {
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly failedReason?: string;
  readonly children: readonly Node[];
}

describe('The video pipeline', () => {
  const services = new StartedServices();
  let service: ServiceProcess;
  let worker: StartedProgram;

  beforeEach(async () => {
    service = await services.start({ STORE: 'memory' });
    worker = await StartedProgram.start(
      process.execPath,
      [join(EXAMPLE, 'worker.js'), '--port', '0'],
      {},
    );
  });

  afterEach(async () => {
    await worker.kill();
    await services.kill();
  });

  const register = async (queue: string): Promise<void> => {
    const body = { queue, endpoint: { url: worker.url, method: 'post' }, opts: { concurrency: 2 } };
    expect((await service.call('POST', '/workers', body)).status).to.equal(200);
  };

  const add = async (change: (flow: string) => string = (flow) => flow): Promise<Node> => {
    const flow = await readFile(join(EXAMPLE, 'flow.json'), 'utf8');
    const { status, body } = await service.call('POST', '/flows', JSON.parse(change(flow)));
    expect(status).to.equal(200);
    return body as Node;
  };

  const result = async ({ queue, id }: Node): Promise<unknown> =>
    (await service.call('GET', `/queues/${queue}/jobs/${id}/result`)).body;

  const tree = async ({ queue, id }: Node): Promise<Node> =>
    (await service.call('GET', `/flows/${queue}/${id}`)).body as Node;

  const all = (node: Node): readonly Node[] => [node, ...node.children.flatMap(all)];

  // holds: flows.example
  it('publishes a video once all required parts are made, even without the optional ones', async () => {
    await register('transcoding');
    await register('publishing');
    const root = await add();
    expect(await result(root)).to.deep.equal({
      state: 'completed',
      returnvalue: {
        title: 'A cat plays the piano',
        playlist: 'cat.m3u8',
        versions: ['cat-1080p.mp4', 'cat-720p.mp4', 'cat-480p.mp4'],
        thumbnails: ['cat-1.jpg', 'cat-2.jpg'],
        subtitles: null,
      },
    });
    const ended = all(await tree(root));
    const failed = ended.filter(({ state }) => state !== 'completed');
    expect(failed.map(({ name, failedReason }) => [name, failedReason])).to.deep.equal([
      ['subtitles', 'Nobody speaks in this video'],
    ]);
  });

  // holds: flows.example
  it('waits while a version is missing, until it is cancelled', async () => {
    await register('transcoding');
    await register('publishing');
    const root = await add((flow) => flow.replace('"transcode"', '"transcod"'));
    const [broken] = root.children[0]!.children;
    expect(await result(broken!)).to.deep.equal({
      state: 'failed',
      failedReason: 'No handler for transcod',
    });
    expect((await tree(root)).state).to.equal('waiting-children');
    const cancelled = await service.call('POST', `/queues/publishing/jobs/${root.id}/cancel`, {
      children: true,
      reason: 'Wrong name',
    });
    expect(cancelled.body).to.equal('OK');
    expect(await result(root)).to.include({ state: 'failed', failedReason: 'Wrong name' });
  });

  // holds: flows.example
  it('is cancelled with all its jobs that have not ended', async () => {
    const root = await add();
    const cancel = await service.call('POST', `/queues/publishing/jobs/${root.id}/cancel`, {
      children: true,
    });
    expect(cancel.body).to.equal('OK');
    const states = all(await tree(root)).map(({ state }) => state);
    expect(new Set(states)).to.deep.equal(new Set(['failed']));
    await register('transcoding');
    const extra = await service.call('POST', '/queues/transcoding/jobs', [
      { name: 'thumbnails', data: { video: 'dog', count: 1 } },
    ]);
    const [job] = extra.body as readonly Node[];
    const done = await eventually('a job behind them is done', async () => {
      const { body } = await service.call('GET', `/queues/transcoding/jobs/${job!.id}`);
      return (body as Node).state === 'completed' && (body as Node);
    });
    expect(done).to.deep.include({ returnvalue: ['dog-1.jpg'] });
  });
});
