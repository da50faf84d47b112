import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders whose Markdown is a part of the site, with all below them. */
const FOLDERS = ['docs', 'examples', 'clients'];
const NOT_OURS = /(?:^|\/)(?:node_modules|dist)\//;

/** The files of all pages, from the root of the project. */
export function sourceFiles(root: string): readonly string[] {
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((path) => path.endsWith('.md') && !NOT_OURS.test(path)),
  );
  return [...top, ...below].toSorted();
}
