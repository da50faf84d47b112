/** The headers of the transport, and those that name the request. */
const OTHERS = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-amzn-requestid',
  'x-request-id',
];

/** A header of every answer, which is shown where it is missing. */
const COMMON = ['x-content-type-options', 'nosniff'] as const;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The status, the headers that not every answer has, and the body, whose fields have lines of their own. */
export function shownAnswer({ status, headers, text }: Answer): string {
  const own = [...headers]
    .filter((header) => !OTHERS.includes(header[0]) && header.join() !== COMMON.join())
    .map((header) => header.join(': '));
  const lines = [status, ...own, ...(headers.has(COMMON[0]) ? [] : [`without ${COMMON[0]}`])];
  return `${lines.join('\n')}\n\n${text.replaceAll(/,(?=["{[])/g, ',\n')}`;
}
