import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { checkTarget, type Exchange } from '../../exchange/exchange.ts';
import { methodNotAllowed } from '../../exchange/http-error.ts';
import { isNamedIn } from '../messages/named-in.ts';
import type { WholeReply } from '../../exchange/whole-reply.ts';
import { textReply } from '../messages/reply.ts';
import { sendReply } from '../../exchange/send-reply.ts';
import { UNCOUNTED_SIZE, type TransferBudget } from '../../exchange/transfer-budget.ts';
import { Dashboard } from './dashboard/dashboard.ts';
import type { DashboardMode, DashboardSettings } from './dashboard/dashboard-mode.ts';
import type { SitePage } from './site-page.ts';

type PageResponse = Response<unknown, Exchange>;

/**
 * The pages for people: an Express application behind the router of the API, since programs seldom request them.
 * Unknown paths and errors are left to the application that mounts it.
 */
export function createSite(
  pages: readonly SitePage[],
  settings: DashboardSettings,
  budget: TransferBudget,
): Express {
  const site = express().disable('x-powered-by').enable('case sensitive routing');
  welcomeBrowsers(site, settings.mode);
  serveDashboard(site, new Dashboard(settings), budget);
  for (const page of pages) {
    const answer = pageAnswer(page, budget);
    site.all(page.path, (request: Request, response: PageResponse, next: NextFunction) => {
      beginPage(page.path, response);
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

const ICON: WholeReply = {
  status: 200,
  contentType: 'image/svg+xml',
  headers: { 'Cache-Control': 'max-age=86400' },
  body:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
    '<path d="M2 15V7a6 6 0 0 1 12 0v8M6 15v-5m4 5v-5" fill="none" stroke="#36c" stroke-width="2"/></svg>',
};

/**
 * A person who opens the service in a browser gets to the dashboard, or else to the documentation, and the browser
 * requests an icon. A program, which does not ask for HTML, finds nothing at `/`.
 */
function welcomeBrowsers(site: Express, mode: DashboardMode): void {
  // Relative, for proxies that serve the site below a path of its own.
  const Location = mode === 'off' ? 'docs' : 'dashboard';
  site.get('/', (request: Request, response: PageResponse, next: NextFunction) => {
    if (!isNamedIn(request.headers.accept, 'text/html')) {
      next();
      return;
    }
    beginPage('/', response);
    sendReply(request, response, textReply('', 302, { Location, Vary: 'Accept' }));
  });
  site.get('/favicon.ico', (request: Request, response: PageResponse) => {
    beginPage('/favicon.ico', response);
    sendReply(request, response, ICON);
  });
}

/** All paths under `/dashboard` get the same document: the script finds out which page to show. */
function serveDashboard(site: Express, dashboard: Dashboard, budget: TransferBudget): void {
  site.all(/^\/dashboard(?:\/.*)?$/, async (request: Request, response: PageResponse) => {
    beginPage('/dashboard', response);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw methodNotAllowed(request.method, 'GET, HEAD');
    }
    const reply = await dashboard.reply(request.path, request.headers['accept-encoding']);
    sendWithin(budget, request, response, reply);
  });
}

function beginPage(route: string, response: PageResponse): void {
  response.locals.route = route;
  checkTarget(response);
}

/**
 * Redirects from the path with a trailing slash, where the relative links of a page would lead elsewhere. The location
 * is relative too, for proxies that serve the site below a path of its own.
 */
function redirect({ path }: SitePage, request: Request, response: PageResponse): void {
  sendReply(request, response, textReply('', 308, { Location: `..${path}` }));
}

function pageAnswer(page: SitePage, budget: TransferBudget) {
  let body: string | undefined;
  return (request: Request, response: PageResponse): void => {
    body ??= page.text();
    const { contentType, headers = {} } = page;
    sendWithin(budget, request, response, { status: 200, contentType, headers, body });
  };
}

function sendWithin(
  budget: TransferBudget,
  request: Request,
  response: PageResponse,
  reply: WholeReply,
): void {
  const { length } = reply.body;
  if (length > UNCOUNTED_SIZE) budget.reserve(response, length);
  sendReply(request, response, reply);
  budget.refundAfter(response);
}
