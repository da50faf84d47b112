import { invalidRequest } from '../../../../domain/errors.ts';

/** Names of URL groups, of queues and of schedules. */
const NAME = /^[A-Za-z0-9._-]{1,200}$/;

/** @throws DomainError `invalid-request` for a name that QStash does not allow. */
export function checkedName(name: string, what: string): string {
  if (NAME.test(name)) return name;
  throw invalidRequest(
    `The name of a ${what} must have 1 to 200 letters, digits, hyphens, underscores and periods`,
  );
}

/** Returns the destination of a message: a URL as its client wrote it, or a URL group by its name. @throws DomainError `invalid-request` */
export function destinationNamed(
  written: string,
): { readonly url: string } | { readonly topic: string } {
  if (/^https?:\/\//i.test(written)) return { url: written };
  if (/^api\/(llm|email)\b/.test(written)) {
    throw invalidRequest(
      `${written.slice(0, 9)} is not served here: publish to the URL of the provider`,
    );
  }
  if (NAME.test(written)) return { topic: written };
  throw invalidRequest(
    'The destination must be a URL that begins with http:// or https://, or the name of a URL group',
  );
}
