import { quotedWord } from '../../rules/shell-word.ts';
import { ROOT, type ApiRequest } from './request.ts';

/** The command that sends the request from a shell. The reader has to fill in the token. */
export function asCurl({ method, path, body }: ApiRequest): string {
  const parts = [`curl -X ${method}`, quotedWord(new URL(path, ROOT).href)];
  parts.push(`-H "Authorization: Bearer $JOBGATE_TOKEN"`);
  if (body !== undefined) parts.push(`-d ${quotedWord(JSON.stringify(body))}`);
  return parts.join(' ');
}
