import { expect } from 'chai';
import { LAYOUT_VERSION } from '../../src/adapters/outbound/embedded/file/database-layout.ts';
import { knownMigrations } from '../../src/adapters/outbound/postgres/schema/migrations.ts';
import { OLDEST_SERVER } from '../../src/adapters/outbound/postgres/schema/schema-state.ts';
import { PINNED_VERSION } from '../../src/adapters/outbound/redis/lua/library.ts';
import { TESTED_MAJORS } from '../../src/domain/system/system.ts';
import { text } from '../support/deployment-files.ts';
import client from '../../clients/typescript/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };

const PAGE = 'docs/compatibility.md';

/** The rows of the table whose head begins with the word, by the titles of its columns. */
function rowsOf(first: string): readonly Readonly<Record<string, string>>[] {
  const lines = text(PAGE).split('\n');
  const start = lines.findIndex((line) => cellsOf(line)[0] === first);
  const titles = cellsOf(lines[start] ?? '');
  const rest = lines.slice(start + 2);
  const rows = rest.slice(
    0,
    rest.findIndex((line) => !line.startsWith('|')),
  );
  return rows.map((line) =>
    Object.fromEntries(cellsOf(line).map((cell, index) => [titles[index] ?? '', cell] as const)),
  );
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The minor version of a version, `0.1` of 0.1.0 and of `>=0.1`. */
function minorOf(version: string): string {
  return /(\d+\.\d+)/.exec(version)?.[1] ?? '';
}

/** What a file says after a key, such as `requires-python = ">=3.10"`. */
function valueIn(path: string, key: string): string {
  return new RegExp(`^${key} = "(.+)"$`, 'm').exec(text(path))?.[1] ?? '';
}

describe('the table of versions that work together', () => {
  const rows = rowsOf('jobgate');
  const [latest = {}, before] = rows;
  const present = minorOf(manifest.version);
  const neighbours = [present, ...(before === undefined ? [] : [before['jobgate']])].join(', ');

  it('begins with this version, and then has every minor version of the changelog', () => {
    const inChangelog = [...text('CHANGELOG.md').matchAll(/^## (\d+\.\d+)\.\d+, /gm)];
    const minors = new Set([present, ...inChangelog.map(([, minor]) => minor)]);
    expect(rows.map((row) => row['jobgate'])).to.deep.equal([...minors]);
  });

  it('names the versions of service, clients and BullMQ as they are', () => {
    expect(client.version).to.equal(manifest.version);
    expect(valueIn('clients/python/pyproject.toml', 'version')).to.equal(manifest.version);
    expect(latest).to.include({
      jobgate: present,
      'Replicas on one store': neighbours,
      Clients: neighbours,
      'BullMQ inside': PINNED_VERSION,
      'Native BullMQ clients': TESTED_MAJORS.toReversed().join(', '),
    });
    // Each of these majors is installed, as the tests of native clients take them.
    const { bullmq } = manifest.dependencies;
    const installed = [bullmq, manifest.devDependencies.bullmq5.replace('npm:bullmq@', '')];
    expect(installed.map((version) => version.split('.')[0])).to.have.members([...TESTED_MAJORS]);
  });

  it('numbers what the service writes to a folder and to PostgreSQL as the service does', () => {
    expect(latest).to.include({
      'Layout of a folder': String(LAYOUT_VERSION),
      'Schema of PostgreSQL': String(knownMigrations().length),
    });
  });

  it('never goes back to a layout or a schema that was before', () => {
    for (const column of ['Layout of a folder', 'Schema of PostgreSQL']) {
      const numbers = rows.map((row) => Number(row[column]));
      expect(numbers).to.deep.equal(numbers.toSorted((one, other) => other - one));
    }
  });

  it('names the oldest versions of everything that it runs on', () => {
    expect(latest).to.include({
      'Node.js': minorOf(manifest.engines.node),
      Python: minorOf(valueIn('clients/python/pyproject.toml', 'requires-python')),
      Redis: /needs Redis (\d+\.\d+) or later/.exec(text('docs/deployment.md'))?.[1],
      PostgreSQL: String(OLDEST_SERVER / 10_000),
    });
    expect(client.engines).to.deep.equal(manifest.engines);
  });
});
