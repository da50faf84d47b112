import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('Request ids and the request log', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService().start();
  });

  afterEach(() => service.stop());

  const idFor = async (given: string): Promise<string | null> => {
    const { headers } = await service.request('GET', '/workers', {
      headers: { 'X-Request-Id': given },
    });
    return headers.get('x-request-id');
  };

  it('echoes an id that is harmless', async () => {
    expect(await idFor('req-1_2.3:4')).to.equal('req-1_2.3:4');
  });

  it('makes an id when there is none, or one that is not harmless', async () => {
    const { headers } = await service.request('GET', '/nowhere', { token: 'wrong' });
    expect(headers.get('x-request-id')).to.match(UUID);
    for (const id of ['', 'a b', 'x'.repeat(129), '<script>', 'é']) {
      expect(await idFor(id), id).to.match(UUID);
    }
  });

  it('logs success for debugging, with the pattern of the path and not its names', async () => {
    await service.request('POST', '/queues/personal/jobs', { body: [] });
    const { level, fields } = await service.logger.line(({ message }) => /answered/.test(message));
    expect(level).to.equal('debug');
    expect(fields).to.include({ method: 'POST', route: '/queues/:queue/jobs', status: 200 });
    expect(fields['requestId']).to.match(UUID);
    expect(fields['duration']).to.be.a('number').and.be.at.least(0);
    expect(JSON.stringify(service.logger.lines)).not.to.contain('personal');
  });

  it('logs failures for everyone', async () => {
    await service.request('GET', '/nowhere');
    const { level, fields } = await service.logger.line(({ message }) => /answered/.test(message));
    expect(level).to.equal('info');
    expect(fields).to.include({ method: 'GET', route: 'none', status: 404 });
  });
});
