import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '../../messages/openapi.ts';
import { DOCS_SEARCH } from './docs-search.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { html, Html, prose } from './html.ts';
import { operationSection, type PlacedOperation } from './operation-section.ts';
import { schemaSections } from './schema-section.ts';

/** The policy allows these elements by their hashes, so not even a blank may be added. */
const STYLE = new Html(`<style>${DOCS_STYLE}</style>`);
const SCRIPT = new Html(`<script>${DOCS_SEARCH}</script>`);

/** The page runs only the search script, and loads nothing. */
export const DOCS_POLICY =
  `default-src 'none'; style-src '${hashOf(DOCS_STYLE)}'; script-src '${hashOf(DOCS_SEARCH)}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** An OpenAPI document for people, as one self-contained page. */
export function docsPage(document: OpenApiDocument): string {
  const { info, tags, components } = document;
  const operations = placedOperations(document);
  const ofTag = (tag: string): readonly PlacedOperation[] =>
    operations.filter(({ operation }) => operation.tags.includes(tag));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title} ${info.version}</title>
        ${STYLE}
      </head>
      <body>
        <header>
          <h1>${info.title} <small>${info.version}</small></h1>
          ${info.description.split('\n\n').map((each) => html`<p>${prose(each)}</p>`)}
          <p>
            The same for programs: <a href="openapi.json">openapi.json</a>, an OpenAPI
            ${document.openapi} document. In the examples, <code>JOBGATE</code> is the address of
            the service and <code>TOKEN</code> the token.
          </p>
        </header>
        <nav aria-label="Parts">
          <form role="search" hidden>
            <input
              type="search"
              aria-label="Search operations and schemas"
              placeholder="Search, such as retry, or POST /queues"
            />
            <output></output>
          </form>
          <ul>
            ${tags.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
            <li><a href="#schemas">Schemas</a></li>
          </ul>
        </nav>
        <main>
          ${tags.map(
            ({ name, description }) =>
              html`<section>
                <h2 id="${name}">${name}</h2>
                <p>${prose(description)}.</p>
                ${ofTag(name).map((placed) => operationSection(placed, document))}
              </section>`,
          )}
          <section>
            <h2 id="schemas">Schemas</h2>
            <p>
              Clients may send no other fields than these; answers may have more in later versions.
            </p>
            ${schemaSections(components.schemas)}
          </section>
        </main>
        ${SCRIPT}
      </body>
    </html> `;
  return page.text;
}

function placedOperations({ paths }: OpenApiDocument): readonly PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** The hash by which a policy allows an element with the text. */
export function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
