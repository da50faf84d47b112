import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { checkTarget, type Exchange } from '../messages/exchange.ts';
import { methodNotAllowed } from '../messages/http-error.ts';
import { textReply } from '../messages/reply.ts';
import { sendReply } from '../messages/send-reply.ts';
import { UNCOUNTED_SIZE, type TransferBudget } from '../messages/transfer-budget.ts';
import type { SitePage } from './site-page.ts';

type PageResponse = Response<unknown, Exchange>;

/**
 * What people look at and programs seldom ask for: an Express application behind the router of the API.
 * What it does not know, and what goes wrong, it leaves to whoever it is mounted in.
 */
export function createSite(pages: readonly SitePage[], budget: TransferBudget): Express {
  const site = express().disable('x-powered-by').enable('case sensitive routing');
  for (const page of pages) {
    const answer = pageAnswer(page, budget);
    site.all(page.path, (request: Request, response: PageResponse, next: NextFunction) => {
      response.locals.route = page.path;
      checkTarget(response);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        next(methodNotAllowed(request.method, 'GET, HEAD'));
      } else if (request.path === page.path) {
        answer(request, response);
      } else {
        redirect(page, request, response);
      }
    });
  }
  return site;
}

/**
 * From the path with a slash at its end, where the relative links of a page would lead elsewhere. The
 * location is relative too, for whoever serves the site below a path of its own.
 */
function redirect({ path }: SitePage, request: Request, response: PageResponse): void {
  sendReply(request, response, textReply('', 308, { Location: `..${path}` }));
}

function pageAnswer(page: SitePage, budget: TransferBudget) {
  let body: string | undefined;
  return (request: Request, response: PageResponse): void => {
    body ??= page.text();
    const { contentType, headers = {} } = page;
    if (body.length > UNCOUNTED_SIZE) budget.reserve(response, body.length);
    sendReply(request, response, { status: 200, contentType, headers, body });
    budget.refundAfter(response);
  };
}
