import { decodedPart } from '../../../../domain/values/parsed-url.ts';

/** The account that all queues belong to. */
export const ACCOUNT = '000000000000';

/** The path of the interface, below which the queues are. */
export const SQS_PATH = '/sqs';

const QUEUE_PATH = new RegExp(`${SQS_PATH}/${ACCOUNT}/([^/?#]+)/?$`);

/** @param base scheme and authority, without a trailing slash. */
export function queueUrl(base: string, queue: string): string {
  return `${base}${SQS_PATH}/${ACCOUNT}/${encodeURIComponent(queue)}`;
}

/** The queue that a URL or a path names; undefined for one that names none. */
export function queueOfUrl(url: string): string | undefined {
  const [, name] = QUEUE_PATH.exec(url) ?? [];
  return name === undefined ? undefined : decodedPart(name);
}

/** Whether the interface answers at this path. @param path without its query. */
export function isSqsPath(path: string): boolean {
  const bare = path.replace(/\/$/, '');
  return bare === SQS_PATH || (queueOfUrl(bare) !== undefined && bare.startsWith(`${SQS_PATH}/`));
}
