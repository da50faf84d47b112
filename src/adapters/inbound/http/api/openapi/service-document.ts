import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../../domain/values/shape.ts';
import type { OpenApiDocument } from '../../messages/openapi.ts';
import type { SitePage } from '../../site/site-page.ts';
import { sitePages } from '../../site/site-pages.ts';
import type { RouteDeclaration } from '../route.ts';
import { openApiDocument } from './openapi-document.ts';

/** The document of the whole service, and the pages that show it, which it describes too. */
export interface ServiceDocument {
  readonly pages: readonly SitePage[];
  /** Makes the document, which takes some milliseconds. */
  document(): OpenApiDocument;
}

export function serviceDocument(
  routes: readonly RouteDeclaration[],
  version: string,
  queueName: Shape<QueueName>,
): ServiceDocument {
  const document = (): OpenApiDocument =>
    openApiDocument([...routes, ...pages.map(declaration)], version, queueName);
  const pages = sitePages(document);
  return { pages, document };
}

function declaration(page: SitePage): RouteDeclaration {
  return { ...page, method: 'GET', access: 'nothing', query: 'ignored' };
}
