import type { DashboardFiles } from './dashboard-files.ts';
import type { DashboardSettings } from './dashboard-mode.ts';

/**
 * The document that all pages of the dashboard begin with: the first paint takes only two files. Its links are
 * relative, for proxies that serve the site below a path of its own.
 *
 * @param path the path of the request, to which the links are relative.
 */
export function dashboardPage(
  { script, style }: Pick<DashboardFiles, 'script' | 'style'>,
  { mode, signsIn }: DashboardSettings,
  path: string,
): string {
  const root = '../'.repeat(path.split('/').length - 2);
  const assets = `${root}dashboard/assets`;
  return `<!doctype html>
<html lang="en" data-mode="${mode}"${signsIn ? ' data-sign-in' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>jobgate</title>
<link rel="icon" type="image/svg+xml" href="${root}favicon.ico">
<link rel="stylesheet" href="${assets}/${style}">
<script type="module" src="${assets}/${script}"></script>
</head>
<body>
<div id="root"><header class="bar"><span class="mark">jobgate</span></header></div>
<noscript><p class="unscripted">The dashboard needs JavaScript. The API works without it: see its <a href="${root}docs">documentation</a>.</p></noscript>
</body>
</html>
`;
}
