import { gunzipSync } from 'node:zlib';
import { HttpError } from '../../../exchange/http-error.ts';
import { HTML_TYPE } from '../../messages/reply.ts';
import { isNamedIn } from '../../messages/named-in.ts';
import type { WholeReply } from '../../../exchange/whole-reply.ts';
import type { DashboardFiles } from './dashboard-files.ts';
import type { DashboardSettings } from './dashboard-mode.ts';
import { dashboardPage } from './dashboard-page.ts';

const ASSETS = '/dashboard/assets/';

/** The policy of platform contract, section 12: pages load only their own files. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

/** The name of a file changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable';

/** How the files are compressed, smallest first: browsers offer Brotli only over TLS and to localhost. */
const CODINGS = [
  ['br', 'brotli'],
  ['gzip', 'gzip'],
] as const;

/** The pages of the dashboard, which need no token: what they show comes through the API. */
export class Dashboard {
  readonly #settings: DashboardSettings;
  #files: Promise<DashboardFiles> | undefined;

  constructor(settings: DashboardSettings) {
    this.#settings = settings;
  }

  /**
   * @param path as the client sent it, with its escapes.
   * @throws HttpError `path-not-found`.
   */
  async reply(path: string, acceptEncoding = ''): Promise<WholeReply> {
    if (this.#settings.mode === 'off') throw notFound();
    // Loaded when the first browser asks: most replicas never show a page.
    this.#files ??= import('./dashboard-files.ts').then(({ dashboardFiles }) => dashboardFiles());
    const files = await this.#files;
    if (path.startsWith(ASSETS)) return asset(files, path.slice(ASSETS.length), acceptEncoding);
    return {
      status: 200,
      contentType: HTML_TYPE,
      headers: {
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cache-Control': 'no-cache',
      },
      body: dashboardPage(files, this.#settings, path),
    };
  }
}

function asset({ files }: DashboardFiles, name: string, acceptEncoding: string): WholeReply {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) throw notFound();
  const coding = CODINGS.find(([name]) => isNamedIn(acceptEncoding, name));
  return {
    status: 200,
    contentType: file.type,
    headers: {
      'Cache-Control': FOREVER,
      Vary: 'Accept-Encoding',
      ...(coding && { 'Content-Encoding': coding[0] }),
    },
    body: coding ? bytesOf(file[coding[1]]) : gunzipSync(bytesOf(file.gzip)),
  };
}

function bytesOf(packed: string): Buffer {
  return Buffer.from(packed, 'base64');
}

function notFound(): HttpError {
  return new HttpError('path-not-found', 'There is nothing at this path');
}
