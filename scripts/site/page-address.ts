import { posix } from 'node:path';

/**
 * Where a file of the project stands in the site: a Markdown page as HTML, a README as the index of its folder, a source
 * or a setting as a page that shows it, and a picture or a document as it is.
 */
export function addressOf(path: string): string {
  if (/(^|\/)README\.md$/.test(path)) return path.replace(/README\.md$/, 'index.html');
  if (path.endsWith('.md')) return path.replace(/\.md$/, '.html');
  return isShown(path) ? `${path}.html` : path;
}

/** Whether a file is shown as text, since a browser would offer it for download. */
export function isShown(path: string): boolean {
  return !/\.(?:png|svg|html|json|md)$/.test(path);
}

/** How one page refers to another, or to a file, by their addresses. */
export function relativeAddress(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}
