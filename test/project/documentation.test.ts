import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { OpenApiDocument } from '../../src/adapters/inbound/http/messages/openapi.ts';
import { generatedPages } from '../../scripts/docs/generated-pages.ts';
import { ports } from '../../scripts/docs/ports.ts';

const ROOT = join(import.meta.dirname, '../..');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function textsIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name}`);
}

/** The anchors that a heading of the text makes. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documentation', () => {
  const records = textsIn('docs/adr');

  for (const file of [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...textsIn('docs'),
    ...textsIn('docs/performance'),
    ...records,
  ]) {
    it(`links to what is there: ${file}`, () => {
      for (const [, link = ''] of read(file).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? file : join(dirname(file), path);
        expect(existsSync(join(ROOT, target)), link).to.equal(true);
        if (anchor !== undefined) expect(anchors(read(target)), link).to.include(anchor);
      }
    });
  }

  // holds: qstash.documented
  it('calls nothing missing that has a page', () => {
    const pages = textsIn('docs').map((page) => page.replace(/^docs\/|\.md$/g, ''));
    for (const file of ['README.md', ...textsIn('docs')]) {
      for (const line of read(file).split('\n')) {
        if (!/no equivalent|no counterpart/i.test(line)) continue;
        const named = pages.filter((page) => new RegExp(`\\b${page}\\b`, 'i').test(line));
        expect(named, `${file}: ${line}`).to.deep.equal([]);
      }
    }
  });

  it('keeps the README short', () => {
    expect(read('README.md').split('\n')).to.have.length.at.most(181);
  });

  it('lists no metric twice', () => {
    const names = [...read('docs/metrics.md').matchAll(/^\| `(jobgate_\w+)/gm)].map(
      ([, name]) => name,
    );
    expect(names.length).to.be.greaterThan(20);
    expect(names).to.deep.equal([...new Set(names)]);
  });

  it('lists every decision record with the architecture', () => {
    const page = read('docs/architecture.md');
    for (const record of records) expect(page).to.include(`(${record.replace('docs/', '')})`);
  });

  it('names every room in the drawing of the architecture and in the table of CONTRIBUTING', () => {
    const [, drawing = ''] = read('docs/architecture.md').split('```');
    const [, table = ''] = read('CONTRIBUTING.md').split('## Where things are');
    for (const layer of ['domain', 'application', 'adapters/inbound', 'adapters/outbound']) {
      const rooms = readdirSync(join(ROOT, 'src', layer), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
      expect(rooms, layer).not.to.deep.equal([]);
      for (const room of rooms) {
        expect(drawing, `${layer}/${room}`).to.match(new RegExp(`\\b${room}\\b`));
        expect(table, `${layer}/${room}`).to.match(new RegExp(`[\`/]${room}\``));
      }
    }
  });

  it('says what `npm run docs` writes', async () => {
    for (const [path, text] of await generatedPages()) expect(read(path), path).to.equal(text);
  }).timeout(60_000);

  it('quotes lines of the log that there are', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read(join('src', name)))
      .join('\n');
    const cells = [...read('docs/troubleshooting.md').matchAll(/^\| .+? \| (.+?) \| .+ \|$/gm)];
    const lines = cells.flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line),
    );
    expect(lines).to.have.length.above(25);
    for (const line of lines) expect(sources, line).to.include(line);
  });

  it('has every route on the page of the API', () => {
    const { paths } = JSON.parse(read('docs/openapi.json')) as OpenApiDocument;
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes).to.have.length.above(10);
    for (const route of routes) {
      expect(read('docs/api.md')).to.include(`\`${route.replace(/\{(\w+)\}/g, ':$1')}\``);
    }
  });

  describe('of the ports', () => {
    const suites = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('contracts'))
      .map((name) => read(join('test', name)))
      .join('\n');

    it('finds every port', () => {
      const files = readdirSync(join(ROOT, 'src/application/ports'));
      const named = files.filter((name) => /-(port|observer)\.ts$/.test(name));
      expect(ports().map(({ path }) => path.split('/').at(-1))).to.have.members(named);
    });

    for (const { name, purpose, adapters, contract, reason } of ports()) {
      it(`says what ${name} does and what holds its adapters to it`, () => {
        expect(purpose).to.match(/\.$/);
        expect(adapters).not.to.be.empty;
        expect([contract, reason].filter((each) => each !== undefined)).to.have.lengthOf(1);
        if (contract === undefined) return;
        const runs = suites.match(new RegExp(`\\bdescribe${name}\\(`, 'g')) ?? [];
        expect(runs).to.have.length.at.least(adapters.length);
      });
    }
  });
});
