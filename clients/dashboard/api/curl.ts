import { ROOT, type ApiRequest } from './request.ts';

/** The command that sends the request from a shell. The reader has to fill in the token. */
export function asCurl({ method, path, body }: ApiRequest): string {
  const parts = [`curl -X ${method}`, quoted(new URL(path, ROOT).href)];
  parts.push(`-H "Authorization: Bearer $JOBGATE_TOKEN"`);
  if (body !== undefined) parts.push(`-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
