import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

describe('Actions on jobs', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService().start();
  });

  after(() => service.stop());

  const add = async (queue: string, opts: object = {}): Promise<string> => {
    const body = [{ name: 'work', data: 1, opts }];
    const { text } = await service.request('POST', `/queues/${queue}/jobs`, { body });
    const [{ id }] = JSON.parse(text) as [{ id: string }];
    return `/queues/${queue}/jobs/${id}`;
  };

  const stateOf = async (path: string): Promise<unknown> => {
    const { text } = await service.request('GET', path);
    return (JSON.parse(text) as { state?: string }).state;
  };

  // holds: actions.remove
  it('removes a job', async () => {
    const path = await add('removed');
    expect(await service.request('DELETE', path)).to.include({ status: 200, text: 'OK' });
    expect((await service.request('GET', path)).status).to.equal(404);
  });

  // holds: actions.promote
  it('promotes a delayed job', async () => {
    const path = await add('promoted', { delay: 60_000 });
    const answer = await service.request('POST', `${path}/promote`);
    expect(answer).to.include({ status: 200, text: 'OK' });
    expect(await stateOf(path)).to.equal('waiting');
  });

  // holds: actions.refused, answers.conflict
  it('answers 409 with the state of a job that does not allow the action', async () => {
    const path = await add('refused');
    const waiting = await service.request('POST', `${path}/promote`);
    expect(waiting).to.include({ status: 409, text: 'Job is waiting' });
    await service.claim('refused');
    const active = await service.request('DELETE', path);
    expect(active).to.include({ status: 409, text: 'Job is active' });
    expect(await stateOf(path)).to.equal('active');
  });

  for (const [method, action] of [
    ['DELETE', ''],
    ['POST', '/promote'],
  ] as const) {
    // holds: actions.unknown
    it(`answers 404 for an unknown job: ${method} ${action}`, async () => {
      await add('known');
      for (const path of [
        '/queues/known/jobs/77',
        '/queues/known/jobs/meta',
        '/queues/none/jobs/1',
      ]) {
        const answer = await service.request(method, path + action);
        expect(answer, path).to.include({ status: 404, text: 'Job not found' });
      }
    });
  }
});
