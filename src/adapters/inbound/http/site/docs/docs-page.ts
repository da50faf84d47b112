import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '../../messages/openapi.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { html, Html } from './html.ts';
import { operationSection, operationTitle, type PlacedOperation } from './operation-section.ts';
import { schemaSection } from './schema-section.ts';

/** The policy knows it by its hash, so not a blank may be added. */
const STYLE = new Html(`<style>${DOCS_STYLE}</style>`);
const STYLE_HASH = createHash('sha256').update(DOCS_STYLE).digest('base64');

/** The page runs no script and loads nothing. */
export const DOCS_POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** An OpenAPI document for people, in one page that needs nothing from elsewhere. */
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
        <h1>${info.title} <small>${info.version}</small></h1>
        ${info.description.split('\n\n').map((each) => html`<p>${each}</p>`)}
        <p>
          The same for programs: <a href="openapi.json">openapi.json</a>, an OpenAPI
          ${document.openapi} document. In the examples, <code>JOBGATE</code> is the address of the
          service and <code>TOKEN</code> the token.
        </p>
        <nav>
          ${tags.map(
            ({ name }) =>
              html`<h4>${name}</h4>
                <ul>
                  ${ofTag(name).map(navigationItem)}
                </ul>`,
          )}
        </nav>
        ${tags.map(
          ({ name, description }) =>
            html`<h2 id="${name}">${name}</h2>
              <p>${description}.</p>
              ${ofTag(name).map((placed) => operationSection(placed, document))}`,
        )}
        <h2 id="schemas">Schemas</h2>
        <p>Names that end in Input are what clients send; the others are what they get.</p>
        ${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}
      </body>
    </html> `;
  return page.text;
}

function placedOperations({ paths }: OpenApiDocument): readonly PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

function navigationItem(placed: PlacedOperation): Html {
  const { operationId, summary } = placed.operation;
  return html`<li>
    <a href="#${operationId}">${operationTitle(placed)}</a> <span class="soft">${summary}</span>
  </li>`;
}
