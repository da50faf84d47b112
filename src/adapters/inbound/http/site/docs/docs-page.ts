import type { OpenApiDocument } from '../../messages/openapi.ts';
import { DOCS_SEARCH } from './docs-search.ts';
import { htmlPage, pagePolicy } from './html-page.ts';
import { html, Html, prose } from './html.ts';
import { operationSection, type PlacedOperation } from './operation-section.ts';
import { schemaSections } from './schema-section.ts';

/** The policy allows the element by its hash, so not even a blank may be added. */
const SCRIPT = new Html(`<script>${DOCS_SEARCH}</script>`);

/** The page runs only the search script, and loads nothing. */
export const DOCS_POLICY = pagePolicy(DOCS_SEARCH);

/** An OpenAPI document for people, as one self-contained page. */
export function docsPage(document: OpenApiDocument): string {
  const { info, tags, components } = document;
  const operations = placedOperations(document);
  const ofTag = (tag: string): readonly PlacedOperation[] =>
    operations.filter(({ operation }) => operation.tags.includes(tag));
  const body = html`<header>
      <h1>${info.title} <small>${info.version}</small></h1>
      ${info.description.split('\n\n').map((each) => html`<p>${prose(each)}</p>`)}
      <p>
        The same for programs: <a href="openapi.json">openapi.json</a>, an OpenAPI
        ${document.openapi} document. In the examples, <code>JOBGATE</code> is the address of the
        service and <code>TOKEN</code> the token.
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
        <p>Clients may send no other fields than these; answers may have more in later versions.</p>
        ${schemaSections(components.schemas)}
      </section>
    </main>
    ${SCRIPT}`;
  return htmlPage(`${info.title} ${info.version}`, body);
}

function placedOperations({ paths }: OpenApiDocument): readonly PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}
