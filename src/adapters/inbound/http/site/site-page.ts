import type { OperationDocument } from '../messages/operation.ts';
import type { ReplyHeaders } from '../../exchange/whole-reply.ts';

/** One document of the site, the same for every client. It needs no token and takes no parameters. */
export interface SitePage extends OperationDocument {
  /** The name of the operation that answers with it. */
  readonly id: string;
  readonly path: string;
  readonly contentType: string;
  readonly headers?: ReplyHeaders;
  /** Makes the text when it is first requested. */
  text(): string;
}
