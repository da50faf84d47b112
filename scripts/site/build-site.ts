import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import MiniSearch from 'minisearch';
import { layout, type Frame } from './layout.ts';
import { brokenLinks } from './links.ts';
import { escaped, renderPage, type RenderedPage } from './markdown.ts';
import { NAVIGATION } from './navigation.ts';
import { addressOf, isShown } from './page-address.ts';
import { isSearched, SEARCH_OPTIONS } from './search-options.ts';
import { sourceFiles } from './source-files.ts';
import { listVersion } from './versions.ts';

const OWN = import.meta.dirname;

/**
 * Builds the site of a version into a folder of its name, beside those of other versions, which stay.
 *
 * @param root of the project.
 * @param output the folder of all versions.
 * @returns how many pages it has.
 * @throws Error that lists the links which lead nowhere.
 */
export async function buildSite(root: string, output: string, version: string): Promise<number> {
  const folder = join(output, version);
  rmSync(folder, { recursive: true, force: true });
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const pages = new Map(sourceFiles(root).map((path) => [path, renderPage(path, read(path))]));
  const titles = new Map([...pages].map(([path, { title }]) => [path, title]));
  const frame: Frame = { version, navigation: NAVIGATION, titles };
  for (const [path, page] of pages)
    write(folder, addressOf(path), layout(frame, { path, ...page }));
  for (const path of linkedFiles(root, pages)) {
    if (isFolder(join(root, path))) {
      write(folder, addressOf(path), layout(frame, shownFolder(root, path)));
    } else if (isShown(path))
      write(folder, addressOf(path), layout(frame, shownFile(path, read(path))));
    else copy(join(root, path), join(folder, path));
  }
  write(folder, 'search.json', JSON.stringify(searchIndex(pages)));
  copy(join(OWN, 'site.css'), join(folder, 'site.css'));
  await build({
    entryPoints: [join(OWN, 'browser.js')],
    outfile: join(folder, 'site.js'),
    bundle: true,
    format: 'esm',
    minify: true,
  });
  const broken = brokenLinks(folder);
  if (broken.length > 0) throw new Error(`Links of the site lead nowhere:\n${broken.join('\n')}`);
  listVersion(output, version);
  return pages.size;
}

/** The files and folders besides pages that the pages link to. */
function linkedFiles(root: string, pages: ReadonlyMap<string, RenderedPage>): readonly string[] {
  const linked = new Set([...pages.values()].flatMap(({ files }) => files));
  return [...linked].filter((path) => existsSync(join(root, path)) && !path.endsWith('.md'));
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

/** A folder of sources as a page of its names. */
function shownFolder(root: string, path: string) {
  const names = readdirSync(join(root, path)).toSorted();
  const items = names.map((name) => `<li>${escaped(name)}</li>`).join('');
  return {
    path,
    title: path,
    html: `<h1>${escaped(path)}</h1>
<ul>${items}</ul>`,
    sections: [],
  };
}

/** A source or a setting as a page. */
function shownFile(path: string, text: string) {
  const html = `<h1>${escaped(path)}</h1>\n<pre><code>${escaped(text)}</code></pre>`;
  return { path, title: path, html, sections: [] };
}

function searchIndex(pages: ReadonlyMap<string, RenderedPage>): MiniSearch {
  const index = new MiniSearch<object>(SEARCH_OPTIONS);
  for (const [path, { title: page, sections }] of pages) {
    if (!isSearched(path)) continue;
    for (const { anchor, title, text } of sections) {
      index.add({ id: `${addressOf(path)}#${anchor}`, title, page, text });
    }
  }
  return index;
}

function write(folder: string, address: string, text: string): void {
  mkdirSync(dirname(join(folder, address)), { recursive: true });
  writeFileSync(join(folder, address), text);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
