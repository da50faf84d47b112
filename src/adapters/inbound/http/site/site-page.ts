import type { Operation } from '../messages/operation.ts';
import type { ReplyHeaders } from '../messages/reply.ts';

/** One document of the site, the same for every client. It needs no token and takes no parameters. */
export interface SitePage extends Operation {
  readonly path: string;
  readonly contentType: string;
  readonly headers?: ReplyHeaders;
  /** Makes the text when it is first requested. */
  text(): string;
}
