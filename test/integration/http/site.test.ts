import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

describe('The pages of the site', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService().start();
  });

  after(() => service.stop());

  for (const [path, type] of [
    ['/docs', 'text/html; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
  ] as const) {
    // holds: openapi.document, openapi.without-token
    it(`answer ${path} to anyone, in the style of the API`, async () => {
      const headers = { 'X-Request-Id': 'mine' };
      const answer = await service.request('GET', path, { token: '', headers });
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.equal(type);
      expect(answer.headers.get('x-request-id')).to.equal('mine');
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(answer.headers.get('x-powered-by')).to.equal(null);
      const { fields } = await service.logger.line(({ fields }) => fields['route'] === path);
      expect(fields).to.include({ requestId: 'mine', method: 'GET', status: 200 });

      const head = await service.request('HEAD', path);
      expect([head.status, head.text]).to.deep.equal([200, '']);
      const length = String(Buffer.byteLength(answer.text));
      expect(head.headers.get('content-length')).to.equal(length);
    });

    it(`return the methods of ${path}`, async () => {
      const { status, headers, text } = await service.request('POST', path, { token: '' });
      expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
      expect(text).to.equal('POST is not allowed here, only GET, HEAD');
    });
  }

  it('are where a browser that opens the service is redirected', async () => {
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const page = await service.request('GET', '/', { token: '', headers });
    expect([page.status, page.text]).to.deep.equal([
      200,
      (await service.request('GET', '/dashboard')).text,
    ]);
    const icon = await service.request('GET', '/favicon.ico', { token: '' });
    expect([icon.status, icon.headers.get('content-type')]).to.deep.equal([200, 'image/svg+xml']);
    expect(service.logger.lines.some(({ fields }) => fields['status'] === 401)).to.equal(false);
    expect((await service.request('GET', '/', { token: '' })).status).to.equal(401);
    expect((await service.request('POST', '/', { token: '' })).status).to.equal(401);
    const refusing = { Accept: 'text/html;q=0, */*' };
    expect((await service.request('GET', '/', { token: '', headers: refusing })).status).to.equal(
      401,
    );
    expect((await service.request('GET', '/favicon.png', { token: '' })).status).to.equal(401);
  });

  // holds: openapi.page
  it('show every operation and schema, and load nothing', async () => {
    const { text, headers } = await service.request('GET', '/docs');
    expect(headers.get('content-security-policy')).to.match(
      /^default-src 'none'; style-src 'sha256-[^;]+'; script-src 'sha256-[^;]+'; base/,
    );
    expect(text).not.to.match(
      /<(script |link|img|iframe)|url\(|@import|https?:\/\/(?!example\.com)/,
    );
    const document = await service.request('GET', '/openapi.json');
    for (const [, id] of document.text.matchAll(/"operationId": "(\w+)"/g)) {
      expect(text).to.include(`id="${id}"`);
    }
    for (const [, name] of document.text.matchAll(/components\/schemas\/(\w+)/g)) {
      expect(text).to.include(`id="schema-${name}"`);
    }
    for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) {
      expect(text).to.include(`id="${target}"`);
    }
  });

  it('describe each operation, give an example, and have no schema twice', async () => {
    const { text } = await service.request('GET', '/docs');
    const { paths } = JSON.parse((await service.request('GET', '/openapi.json')).text) as {
      paths: Record<string, Record<string, { operationId: string; description: string }>>;
    };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    for (const { operationId, description } of operations) {
      expect(description, operationId).to.match(/^[A-Z].*\.$/s);
    }
    expect(text.match(/<h4>Example<\/h4>/g)).to.have.lengthOf(operations.length);
    const names = [...text.matchAll(/<summary><h3>(\w+)<\/h3>/g)].map(([, name]) => name);
    expect(names).to.include('Limiter').and.not.to.include('LimiterInput');
    expect(new Set(names).size).to.equal(names.length);
  });

  it('redirect from a trailing slash, so that their relative links work', async () => {
    for (const path of ['/docs/', '/openapi.json/']) {
      const answer = await fetch(`${service.url}${path}`, { redirect: 'manual' });
      const location = new URL(answer.headers.get('location') ?? '', answer.url);
      expect([answer.status, location.pathname]).to.deep.equal([308, path.slice(0, -1)]);
    }
    const page = await fetch(`${service.url}/docs/`);
    const links = [...(await page.text()).matchAll(/href="([^"#]+)"/g)].map(
      ([, link = '']) => link,
    );
    expect(links).not.to.be.empty;
    for (const link of links) {
      expect((await fetch(new URL(link, page.url))).status, link).to.equal(200);
    }
  });

  it('leave other paths to the API, which names them only to callers with a token', async () => {
    expect((await service.request('GET', '/docs/more', { token: '' })).status).to.equal(401);
    const { status, text } = await service.request('GET', '/docs/more');
    expect([status, text]).to.deep.equal([404, 'There is nothing at this path']);
  });
});
