import { escaped, type Section } from './markdown.ts';
import { addressOf, relativeAddress } from './page-address.ts';
import { LABELS, type NavigationPart } from './navigation.ts';

/** What all pages of a site have in common. */
export interface Frame {
  readonly version: string;
  readonly navigation: readonly NavigationPart[];
  /** The titles of the pages, by their files. */
  readonly titles: ReadonlyMap<string, string>;
}

export interface Content {
  /** The file that is shown. */
  readonly path: string;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

/** A whole page. It loads only files of the site, and works without scripts but for the search and the versions. */
export function layout({ version, navigation, titles }: Frame, content: Content): string {
  const own = addressOf(content.path);
  const at = (address: string): string => relativeAddress(own, address);
  const link = (path: string): string => {
    const current = path === content.path ? ' aria-current="page"' : '';
    return `<li><a href="${at(addressOf(path))}"${current}>${escaped(LABELS[path] ?? titles.get(path) ?? path)}</a></li>`;
  };
  const parts = navigation.map(
    ({ title, pages }) => `<h2>${escaped(title)}</h2>\n<ul>${pages.map(link).join('\n')}</ul>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(content.title)} – jobgate ${escaped(version)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${at('site.css')}">
<script type="module" src="${at('site.js')}" data-root="${at('.')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${at('index.html')}">jobgate</a>
<label>Version <select id="version"><option>${escaped(version)}</option></select></label>
<search><input id="query" type="search" placeholder="Search" aria-label="Search"><ol id="found" hidden></ol></search>
</header>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary>
${parts.join('\n')}
</details></nav>
<main id="content">
${content.html}
</main>
${outline(content.sections)}
</div>
</body>
</html>
`;
}

function outline(sections: readonly Section[]): string {
  const shown = sections.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ anchor, title, level }) =>
      `<li class="level-${level}"><a href="#${escaped(anchor)}">${escaped(title)}</a></li>`,
  );
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${items.join('\n')}</ul></aside>`;
}
