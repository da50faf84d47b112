import { posix } from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { addressOf, relativeAddress } from './page-address.ts';

/** A heading with what stands below it, up to the next one. */
export interface Section {
  /** Empty for what comes before the first heading of a page. */
  readonly anchor: string;
  readonly title: string;
  readonly level: number;
  /** Without marks, for the search. */
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly title: string;
  readonly sections: readonly Section[];
  /** The files of the project that it links to or shows, by their paths. */
  readonly files: readonly string[];
}

// The pages are the project's own, so that what HTML they have is trusted.
const markdown = new MarkdownIt({ html: true, linkify: false });
// A table that is wider than the screen scrolls by itself.
markdown.renderer.rules['table_open'] = () => '<div class="table"><table>';
markdown.renderer.rules['table_close'] = () => '</table></div>';

/** Renders a page of the project. @param path of its file, from the root, which its links are relative to. */
export function renderPage(path: string, text: string): RenderedPage {
  const tokens = markdown.parse(text, {});
  const files = new Set<string>();
  const target = (link: string): string => {
    const [file = '', anchor] = link.split('#');
    if (/^[a-z]+:/i.test(link) || file === '') return link;
    const found = posix.normalize(posix.join(posix.dirname(path), file));
    files.add(found);
    const address = relativeAddress(addressOf(path), addressOf(found));
    return anchor === undefined ? address : `${address}#${anchor}`;
  };
  const sections = sectionsOf(tokens);
  for (const token of tokens.flatMap((each) => [each, ...(each.children ?? [])])) {
    for (const name of ['href', 'src']) {
      const link = token.attrGet(name);
      if (link !== null) token.attrSet(name, target(String(link)));
    }
    if (token.type.startsWith('html_')) {
      token.content = token.content.replaceAll(
        /\b(src|srcset|href)="([^"]+)"/g,
        (_, name: string, link: string) => `${name}="${target(link)}"`,
      );
    }
  }
  const html = markdown.renderer.render(tokens, markdown.options, {});
  return {
    html,
    title: sections.find(({ level }) => level === 1)?.title ?? path,
    sections,
    files: [...files],
  };
}

/** Text that HTML shows as it is. */
export function escaped(text: string): string {
  return markdown.utils.escapeHtml(text);
}

/** Gives each heading its anchor, the one that GitHub gives it, and gathers what stands below it. */
function sectionsOf(tokens: readonly Token[]): readonly Section[] {
  const sections: { anchor: string; title: string; level: number; text: string }[] = [];
  const anchors = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = plain(tokens[index + 1]);
      const anchor = unique(anchorOf(title), anchors);
      token.attrSet('id', anchor);
      sections.push({ anchor, title, level: Number(token.tag.slice(1)), text: '' });
    } else if (tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      const text = plain(token);
      if (section !== undefined && text !== '') section.text += `${text} `;
    }
  }
  return sections;
}

function plain(token: Token | undefined): string {
  if (token?.type === 'fence') return token.content;
  return (token?.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

function unique(anchor: string, taken: Map<string, number>): string {
  const before = taken.get(anchor) ?? 0;
  taken.set(anchor, before + 1);
  return before === 0 ? anchor : `${anchor}-${before}`;
}
