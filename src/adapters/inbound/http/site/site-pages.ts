import type { OpenApiDocument } from '../messages/openapi.ts';
import { HTML_TYPE, JSON_TYPE } from '../messages/reply.ts';
import { docsPage, DOCS_POLICY } from './docs/docs-page.ts';
import type { SitePage } from './site-page.ts';

/** @param document returns the OpenAPI document, which also describes these pages. */
export function sitePages(document: () => OpenApiDocument): readonly SitePage[] {
  return [
    {
      path: '/openapi.json',
      id: 'readOpenApi',
      tag: 'Documentation',
      summary: 'Read this document',
      description: 'OpenAPI 3.1, made from the routes themselves.',
      replies: {
        200: {
          description: 'An OpenAPI 3.1 document',
          contentType: JSON_TYPE,
          schema: { type: 'object' },
        },
      },
      errors: ['overloaded'],
      contentType: JSON_TYPE,
      text: () => openApiText(document()),
    },
    {
      path: '/docs',
      id: 'readDocs',
      tag: 'Documentation',
      summary: 'Read this document as a page',
      description: 'All of it in one page that works without network access.',
      replies: {
        200: {
          description: 'A page that needs nothing else',
          contentType: HTML_TYPE,
          schema: { type: 'string' },
        },
      },
      errors: ['overloaded'],
      contentType: HTML_TYPE,
      headers: { 'Content-Security-Policy': DOCS_POLICY },
      text: () => docsPage(document()),
    },
  ];
}

/** The document as it is served, and stored in `docs/openapi.json`. */
export function openApiText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
