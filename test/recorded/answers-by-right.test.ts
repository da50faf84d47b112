import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Right } from '../../src/domain/access/right.ts';
import { RIGHTS } from '../../src/domain/values/rights.ts';
import type { OpenApiDocument } from '../../src/adapters/inbound/http/messages/openapi.ts';
import { openApiCalls } from '../integration/http/openapi/openapi-calls.ts';
import { prepareCalls } from '../integration/http/openapi/prepare-calls.ts';
import { HttpService, TOKEN, type Answer } from '../integration/http/support/http-service.ts';
import { restrictedTokens } from '../integration/http/support/restricted-tokens.ts';
import { encryptionKey } from '../support/encryption-key.ts';
import { marked } from './marks.ts';
import { Recording } from './recording.ts';
import { shownAnswer } from './shown-answer.ts';

type Tokens = Readonly<Record<string, string | null>>;

const ADMIN: Tokens = { admin: TOKEN };

/** None, one for each other right, and one for a queue of no call. */
const OTHERS: Tokens = {
  'no token': null,
  ...Object.fromEntries(RIGHTS.filter((right) => right !== 'admin').map((each) => [each, each])),
  'another queue': 'elsewhere',
};

/** The documentation is compared with its source, and needs no token. */
const DOCUMENTATION = ['readOpenApi', 'readDocs'];

const METHODS = methodsOf('docs/openapi.json');

describe('the answers to every operation', () => {
  it('are those that were recorded for each right', async () => {
    const recording = new Recording('answers-by-right');
    const answersToOthers = await answersTo(OTHERS);
    for (const [index, { title, answers: toAdmin }] of (await answersTo(ADMIN)).entries()) {
      const answers = { ...toAdmin, ...answersToOthers[index]?.answers };
      recording.note(title, byAnswer(answers));
    }
    recording.expectUnchanged();
  }).timeout(60_000);
});

interface CallAnswers {
  readonly title: string;
  readonly answers: Readonly<Record<string, string>>;
}

/**
 * The answers to each correct call, made with one token after the other. What none of them may change is changed by an
 * administrator, for the calls that follow.
 */
async function answersTo(tokens: Tokens): Promise<readonly CallAnswers[]> {
  const rights = RIGHTS.map((right) => [right, { rights: held(right), queues: null }] as const);
  const service = await new HttpService({
    keptIn: 'memory',
    maxJobsPerAdd: 10,
    encryptionKeys: [encryptionKey('2026a')],
    knownTokens: restrictedTokens({
      ...Object.fromEntries(rights),
      elsewhere: { rights: ['admin'], queues: ['elsewhere'] },
    }),
  }).start();
  try {
    const tokenOf = await prepareCalls(service);
    const calls = Object.values(openApiCalls).flatMap((callsOf) => callsOf(tokenOf));
    const answered: CallAnswers[] = [];
    for (const { operationId, path, token = '', status, body, headers } of calls) {
      if (status >= 400 || DOCUMENTATION.includes(operationId)) continue;
      const request = { ...(body !== undefined && { body }), ...(headers && { headers }) };
      const send = (own: string | null): Promise<Answer> =>
        service.request(METHODS.get(operationId) ?? '', path, { ...request, token: own });
      if (token !== '') {
        // The token of an attempt, which has no rights.
        await send(token);
        continue;
      }
      const answers: Record<string, string> = {};
      let isDone = false;
      for (const [name, own] of Object.entries(tokens)) {
        const answer = await send(own);
        isDone ||= answer.status === status;
        answers[name] = marked(shown(answer));
      }
      if (!isDone) await send(TOKEN);
      answered.push({ title: `${operationId} ${path}`, answers });
    }
    return answered;
  } finally {
    await service.stop();
  }
}

/** The names of those who get the same answer, and the answer. That to the administrator is among all answers. */
function byAnswer(answers: CallAnswers['answers']): string {
  const names = new Map<string, string[]>();
  for (const [name, answer] of Object.entries(answers)) {
    names.set(answer, [...(names.get(answer) ?? []), name]);
  }
  const lines = [...names].map(([answer, some]) => {
    const isWhole = some.includes('admin');
    return `${some.join(', ')}: ${isWhole ? 'as in answers.txt' : answer}`;
  });
  return lines.join('\n');
}

/** The right to see values is of use beside the right to read alone. */
function held(right: Right): readonly Right[] {
  return right === 'data' ? ['read', 'data'] : [right];
}

function shown(answer: Answer): string {
  const isRefused = [401, 403].includes(answer.status);
  return isRefused ? `${answer.status} ${answer.text}` : shownAnswer(answer);
}

function methodsOf(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
  const { paths } = JSON.parse(text) as OpenApiDocument;
  const methods = Object.values(paths).flatMap((each) => Object.entries(each));
  return new Map(methods.map(([method, { operationId }]) => [operationId, method.toUpperCase()]));
}
