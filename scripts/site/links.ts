import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The links of all pages in a folder that lead to no file of it, or to no place on a page: `page: link`. */
export function brokenLinks(folder: string): readonly string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (page: string): ReadonlySet<string> => {
    const known = anchors.get(page) ?? idsIn(readFileSync(page, 'utf8'));
    anchors.set(page, known);
    return known;
  };
  return pages.flatMap((page) =>
    linksIn(readFileSync(join(folder, page), 'utf8'))
      .filter((link) => !leadsSomewhere(join(folder, page), link, anchorsOf))
      .map((link) => `${page}: ${link}`),
  );
}

function leadsSomewhere(
  page: string,
  link: string,
  anchorsOf: (page: string) => ReadonlySet<string>,
): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : join(dirname(page), decodeURI(file));
  if (!existsSync(target) || statSync(target).isDirectory()) return false;
  return anchor === undefined || !target.endsWith('.html') || anchorsOf(target).has(anchor);
}

/** Links within the site. */
function linksIn(html: string): readonly string[] {
  const links = [...html.matchAll(/<[^>]+?\s(?:href|src|srcset)="([^"]*)"/g)];
  return links.map(([, link = '']) => link).filter((link) => !/^[a-z]+:/i.test(link));
}

function idsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
}
