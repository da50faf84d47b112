import { createHash } from 'node:crypto';
import { DOCS_STYLE } from './docs-style.ts';
import { html, Html } from './html.ts';

/** The policy allows the element by its hash, so not even a blank may be added. */
const STYLE = new Html(`<style>${DOCS_STYLE}</style>`);

/** A self-contained page for people. */
export function htmlPage(title: string, body: Html): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return page.text;
}

/** The Content-Security-Policy of a page that loads nothing. @param script the only one that it runs, if any. */
export function pagePolicy(script?: string): string {
  const scripts = script === undefined ? '' : ` script-src '${hashOf(script)}';`;
  const style = `default-src 'none'; style-src '${hashOf(DOCS_STYLE)}';`;
  return `${style}${scripts} base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
