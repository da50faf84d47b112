import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect } from 'chai';
import { buildSite } from '../../scripts/site/build-site.ts';
import { brokenLinks } from '../../scripts/site/links.ts';
import { NAVIGATION } from '../../scripts/site/navigation.ts';
import { Browser } from '../support/browser/browser.ts';
import type { Page } from '../support/browser/page.ts';
import { eventually } from '../support/eventually.ts';

const ROOT = join(import.meta.dirname, '../..');
const VERSION = '1.2.0';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

describe('the documentation as a site', () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let page: Page;
  let url: string;

  before(async function () {
    this.timeout(60_000);
    folder = await mkdtemp(join(tmpdir(), 'jobgate-site-'));
    // Versions that were published earlier.
    for (const version of ['1.10.0', '1.1.0']) await mkdir(join(folder, version));
    await buildSite(ROOT, folder, VERSION);
    server = createServer((request, response) => {
      const path = join(folder, new URL(request.url!, 'http://localhost').pathname);
      readFile(path).then(
        (bytes) => {
          const type = TYPES[extname(path)] ?? 'application/octet-stream';
          response.writeHead(200, { 'content-type': type }).end(bytes);
        },
        () => response.writeHead(404).end(),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${VERSION}/`;
    browser = await Browser.start();
    page = await browser.open(`${url}index.html`);
  });
  after(async () => {
    await browser.stop();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const read = (path: string): Promise<string> => readFile(join(folder, VERSION, path), 'utf8');

  it('lists every page of docs once', async () => {
    const listed = NAVIGATION.flatMap(({ pages }) => pages);
    expect(new Set(listed)).to.have.lengthOf(listed.length);
    const files = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
    expect(listed).to.include.members(files.map((name) => `docs/${name}`));
  });

  it('leaves decision records out of the search, and keeps their pages', async () => {
    const index = await read('search.json');
    expect(index).to.include('"docs/jobs.html#');
    expect(index).not.to.include('"docs/adr/');
    expect(await read('docs/adr/0014-one-bundle.html')).to.include('<main');
  });

  it('names links that lead nowhere', async () => {
    const broken = join(folder, 'broken');
    await mkdir(broken);
    const links = [
      '#here',
      'other.html#there',
      'gone.html',
      'other.html#gone',
      'https://example.com/',
    ];
    const page = links.map((link) => `<a href="${link}">.</a>`).join('');
    await writeFile(join(broken, 'page.html'), `<p id="here">${page}</p>`);
    await writeFile(join(broken, 'other.html'), '<p id="there">.</p>');
    expect(brokenLinks(broken)).to.deep.equal([
      'page.html: gone.html',
      'page.html: other.html#gone',
    ]);
  });

  it('loads nothing from elsewhere', async () => {
    const paths = await readdir(join(folder, VERSION), { recursive: true });
    const elsewhere =
      /<(?:script|link|img|source|iframe)[^>]+(?:src|href|srcset)="(?:https?:)?\/\//;
    for (const path of paths.filter((name) => name.endsWith('.html'))) {
      expect(elsewhere.test(await read(path)), path).to.equal(false);
    }
    expect(await read('site.css')).not.to.match(/url\(|@import/);
  });

  for (const width of [1280, 360]) {
    it(`fits a screen of ${width} pixels`, async () => {
      const metrics = { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 };
      await page.call('Emulation.setDeviceMetricsOverride', metrics);
      for (const path of ['index.html', 'docs/operations.html', 'docs/api.html', 'SECURITY.html']) {
        await page.navigate(`${url}${path}`);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(wide, path).to.be.at.most(width);
      }
    });
  }

  it('finds pages by their text, and leads to the place', async () => {
    await page.navigate(`${url}docs/jobs.html`);
    await page.evaluate(
      `((query) => {
        query.value = 'pg_dump restor';
        query.dispatchEvent(new Event('input'));
      })(document.querySelector('#query'))`,
    );
    const found = await eventually('something is found', async () => {
      const links = await page.evaluate<string[]>(
        "[...document.querySelectorAll('#found a')].map(({ href }) => href)",
      );
      return links.length > 0 && links;
    });
    expect(found).to.include(`${url}docs/postgresql.html#backups`);
  });

  const resultsOf = async (text: string): Promise<readonly string[]> => {
    await page.navigate(`${url}docs/jobs.html`);
    await page.evaluate(
      `((query) => {
        query.focus();
        query.value = ${JSON.stringify(text)};
        query.dispatchEvent(new Event('input'));
      })(document.querySelector('#query'))`,
    );
    return eventually(`something is found for ${text}`, async () => {
      const links = await page.evaluate<string[]>(
        "[...document.querySelectorAll('#found a')].map(({ href }) => href)",
      );
      return links.length > 0 && links;
    });
  };

  for (const [word, place] of [
    ['GDPR', 'docs/control.html#erasing'],
    ['throttle', 'limiter'],
    ['heartbeat', 'docs/pull.html'],
    ['unique', 'dedup'],
  ] as const) {
    it(`finds ${word} by the word of the pages`, async () => {
      expect((await resultsOf(word)).join(' ')).to.include(place);
    });
  }

  it('opens results with the arrows and Enter', async () => {
    const [first, second] = await resultsOf('erase');
    const press = (key: string): Promise<unknown> =>
      page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))`,
      );
    const focused = (): Promise<string> => page.evaluate('document.activeElement.href ?? ""');
    await press('ArrowDown');
    expect(await focused()).to.equal(first);
    await press('ArrowDown');
    expect(await focused()).to.equal(second);
    await press('ArrowUp');
    await press('ArrowUp');
    expect(await focused()).to.equal('');
    await press('Enter');
    await eventually('the first result is open', async () => {
      return (await page.evaluate<string>('location.href')) === first;
    });
  });

  it('offers the other versions, the latest first', async () => {
    await page.navigate(`${url}index.html`);
    const versions = await eventually('the versions are known', async () => {
      const options = await page.evaluate<string[]>(
        "[...document.querySelectorAll('#version option')].map(({ value }) => value)",
      );
      return options.length > 1 && options;
    });
    expect(versions).to.deep.equal(['1.10.0', VERSION, '1.1.0']);
    expect(await page.evaluate<string>('document.querySelector("#version").value')).to.equal(
      VERSION,
    );
    expect(await readFile(join(folder, 'index.html'), 'utf8')).to.include('url=1.10.0/index.html');
  });
});
