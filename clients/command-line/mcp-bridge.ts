import { isObject, parsedJson } from '../../src/domain/values/json.ts';

/** The destination of the messages. */
export interface McpService {
  readonly url: string;
  readonly token: string;
}

/** JSON-RPC 2.0, section 5.1. */
const INTERNAL_ERROR = -32603;

/**
 * The stdio transport of the Model Context Protocol: passes each line of the input to `POST /mcp` of the service, and
 * writes each answer as a line as soon as it is ready. Returns once the input has ended and every request is answered.
 */
export async function bridgeMcp(
  service: McpService,
  input: NodeJS.ReadableStream,
  write: (line: string) => void,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of linesOf(input)) {
    if (line.trim() === '') continue;
    const answered = answerTo(line, service).then((answer) => {
      if (answer !== undefined) write(answer);
      running.delete(answered);
    });
    running.add(answered);
  }
  await Promise.all(running);
}

/**
 * The lines of an input. Only a line feed ends a line, since JSON text may contain the other separators of `readline`.
 */
async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  input.setEncoding('utf8');
  let rest = '';
  for await (const piece of input) {
    const lines = `${rest}${String(piece)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

/** The answer to a message on one line; undefined for a message without an answer. */
async function answerTo(message: string, { url, token }: McpService): Promise<string | undefined> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: message,
    });
    const text = await response.text();
    if (response.headers.get('content-type')?.startsWith('application/json') === true) return text;
    return response.ok ? undefined : failure(message, text);
  } catch {
    return failure(message, `jobgate cannot be reached at ${url}`);
  }
}

/** The answer to a request that the service refused; a notification gets none. */
function failure(message: string, reason: string): string | undefined {
  const request = parsedJson(message);
  if (!isObject(request) || request['id'] === undefined) return undefined;
  const error = { code: INTERNAL_ERROR, message: reason };
  return JSON.stringify({ jsonrpc: '2.0', id: request['id'], error });
}
