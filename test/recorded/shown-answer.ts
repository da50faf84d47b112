/** The headers of the transport. */
const TRANSPORT = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

/** The headers of every answer. */
const COMMON: Readonly<Record<string, RegExp>> = {
  'x-content-type-options': /^nosniff$/,
  'x-request-id': /^[\w-]{36}$/,
};

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The status, the headers that not every answer has, and the body, whose fields have lines of their own. */
export function shownAnswer({ status, headers, text }: Answer): string {
  const others = [...headers]
    .filter(([name, value]) => !TRANSPORT.includes(name) && !COMMON[name]?.test(value))
    .map(([name, value]) => `${name}: ${value}`);
  const lacking = Object.keys(COMMON).filter((name) => !headers.has(name));
  const lines = [status, ...others, ...lacking.map((name) => `without ${name}`)];
  return `${lines.join('\n')}\n\n${text.replaceAll(/,(?=["{[])/g, ',\n')}`;
}
