import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

const PATCHES: Readonly<Record<string, object>> = { PATCH: { body: { priority: 1 } } };

describe('Actions on jobs', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
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

  const fail = async (queue: string): Promise<void> => {
    const attempt = await service.claim(queue);
    await service.settle(queue, attempt, { kind: 'failed', reason: 'it broke' });
  };

  for (const body of [undefined, '', {}, { opts: {} }]) {
    // holds: actions.retry, actions.no-body
    it(`retries a failed job: ${JSON.stringify(body)}`, async () => {
      const path = await add('retried', { attempts: 1 });
      await fail('retried');
      const answer = await service.request('POST', `${path}/retry`, { body });
      expect(answer).to.include({ status: 200, text: 'OK' });
      expect(await stateOf(path)).to.equal('waiting');
      await service.request('DELETE', path);
    });
  }

  // holds: actions.retry
  it('takes new options and data for a retry', async () => {
    const path = await add('renewed', { attempts: 1 });
    await fail('renewed');
    const body = {
      opts: { attempts: 3, backoff: { type: 'linear' }, priority: 9 },
      data: { to: 'eve' },
    };
    expect((await service.request('POST', `${path}/retry`, { body })).status).to.equal(200);
    const { text } = await service.request('GET', path);
    expect(JSON.parse(text)).to.deep.include({
      state: 'prioritized',
      data: { to: 'eve' },
      opts: { attempts: 3, delay: 0, backoff: { type: 'linear', delay: 0 }, priority: 9 },
      attemptsMade: 0,
    });
  });

  for (const [body, mistake] of [
    [{ opts: { priority: -1 } }, 'opts.priority must be an integer from 0 to 2097152'],
    [{ opts: { attempts: '3' } }, 'opts.attempts must be an integer of at least 0'],
    [{ opts: { backoff: { type: 'none', delay: 1 } } }, 'opts.backoff.type must be '],
    [{ opts: { lifo: true } }, 'opts.lifo is not a known field'],
    [{ name: 'other' }, 'name is not a known field'],
    [[], 'The request body must be an object'],
    ['null', 'The request body must be an object'],
    ['{', 'The request body is not valid JSON'],
  ] as const) {
    it(`refuses to retry with ${JSON.stringify(body)}`, async () => {
      const path = await add('mistaken');
      const { status, text } = await service.request('POST', `${path}/retry`, { body });
      expect(status).to.equal(400);
      expect(text).to.satisfy((words: string) => words.startsWith(mistake), text);
    });
  }

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

  for (const [body, reason] of [
    [undefined, 'Cancelled'],
    ['', 'Cancelled'],
    [{}, 'Cancelled'],
    [{ reason: 'ordered twice' }, 'ordered twice'],
  ] as const) {
    // holds: cancel.fails, actions.no-body
    it(`cancels a job: ${JSON.stringify(body)}`, async () => {
      for (const opts of [{}, { priority: 1 }, { delay: 60_000, attempts: 3 }]) {
        const path = await add('cancelled', opts);
        const answer = await service.request('POST', `${path}/cancel`, { body });
        expect(answer).to.include({ status: 200, text: 'OK' });
        const job = JSON.parse((await service.request('GET', path)).text) as object;
        expect(job).to.include({ state: 'failed', failedReason: reason });
      }
    });
  }

  // holds: cancel.fails, cancel.token
  it('cancels an active job, whose token is invalid from then on', async () => {
    const path = await add('cancelled', { attempts: 3 });
    const { token } = await service.claim('cancelled');
    expect((await service.request('POST', `${path}/cancel`)).status).to.equal(200);
    expect(await stateOf(path)).to.equal('failed');
    for (const report of ['progress', 'logs']) {
      const answer = await service.request('POST', `${path}/${report}`, { token, body: '"x"' });
      expect(answer.status).to.equal(401);
    }
  });

  // holds: actions.refused
  it('cancels no job that has ended', async () => {
    const path = await add('ended');
    await service.settle('ended', await service.claim('ended'), {
      kind: 'completed',
      returnvalue: null,
    });
    const completed = await service.request('POST', `${path}/cancel`);
    expect(completed).to.include({ status: 409, text: 'Job is completed' });
    const twice = await add('ended');
    await service.request('POST', `${twice}/cancel`);
    const again = await service.request('POST', `${twice}/cancel`, { body: { reason: 'again' } });
    expect(again).to.include({ status: 409, text: 'Job is failed' });
  });

  // holds: cancel.retention
  it('keeps as many cancelled jobs as the worker keeps failed ones', async () => {
    const endpoint = { url: 'http://localhost:3000/', method: 'post' };
    const body = { queue: 'forgetful', endpoint, opts: { removeOnFail: { count: 0 } } };
    await service.request('POST', '/workers', { body });
    const path = await add('forgetful');
    await service.request('POST', `${path}/cancel`);
    expect((await service.request('GET', path)).status).to.equal(404);
  });

  for (const [body, mistake] of [
    [{ reason: 1 }, 'reason must be a string of 1 to 1024 bytes'],
    [{ reason: '' }, 'reason must be a string of 1 to 1024 bytes'],
    [{ reason: 'ä'.repeat(513) }, 'reason must be a string of 1 to 1024 bytes'],
    [{ why: 'so' }, 'why is not a known field'],
    [[], 'The request body must be an object'],
  ] as const) {
    it(`refuses to cancel with ${JSON.stringify(body).slice(0, 40)}`, async () => {
      const path = await add('mistaken');
      const { status, text } = await service.request('POST', `${path}/cancel`, { body });
      expect(status).to.equal(400);
      expect(text).to.satisfy((words: string) => words.startsWith(mistake), text);
    });
  }

  // holds: actions.change
  it('changes a job, and returns its new state', async () => {
    const path = await add('changed', { delay: 60_000 });
    const later = { body: { data: { to: 'eve' }, delay: 90_000 } };
    const { status, text } = await service.request('PATCH', path, later);
    expect(status).to.equal(200);
    const job = JSON.parse(text) as object;
    expect(job).to.deep.include({ data: { to: 'eve' }, delay: 90_000 });
    expect(job).not.to.have.property('state');
    const read = JSON.parse((await service.request('GET', path)).text) as object;
    expect(read).to.deep.equal({ ...job, state: 'delayed', suspended: null });
  });

  for (const body of [undefined, {}] as const) {
    // holds: actions.nothing-to-change
    it(`answers 400 when there is nothing to change: ${JSON.stringify(body)}`, async () => {
      const path = await add('unchanged');
      expect(await service.request('PATCH', path, { body })).to.include({
        status: 400,
        text: 'There is nothing to change: give data, priority, delay or cost',
      });
    });
  }

  for (const [body, mistake] of [
    [{ priority: 2_097_153 }, 'priority must be an integer from 0 to 2097152'],
    [{ delay: -1 }, 'delay must be an integer of at least 0'],
    [{ data: 1, delay: null }, 'delay must be an integer of at least 0'],
    [{ attempts: 1 }, 'attempts is not a known field'],
  ] as const) {
    it(`refuses to change ${JSON.stringify(body)}`, async () => {
      const path = await add('mistaken');
      const answer = await service.request('PATCH', path, { body });
      expect(answer).to.include({ status: 400, text: mistake });
    });
  }

  for (const [method, action] of [
    ['DELETE', ''],
    ['PATCH', ''],
    ['POST', '/promote'],
    ['POST', '/retry'],
    ['POST', '/cancel'],
  ] as const) {
    // holds: actions.unknown
    it(`answers 404 for an unknown job: ${method} ${action}`, async () => {
      await add('known');
      for (const path of [
        '/queues/known/jobs/77',
        '/queues/known/jobs/meta',
        '/queues/none/jobs/1',
      ]) {
        const answer = await service.request(method, path + action, PATCHES[method]);
        expect(answer, path).to.include({ status: 404, text: 'Job not found' });
      }
    });
  }
});
