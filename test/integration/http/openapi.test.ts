import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { Events } from '../../../src/application/events/events.ts';
import type { IdentityProviderPort } from '../../../src/application/ports/identity-provider-port.ts';
import type { OpenApiDocument } from '../../../src/adapters/inbound/http/messages/openapi.ts';
import { sitePages } from '../../../src/adapters/inbound/http/site/site-pages.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { encryptionKey } from '../../support/encryption-key.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { DocumentValidator } from './support/document-validator.ts';
import { failing, failingApplication } from './support/failing-application.ts';
import { routesOf } from './support/routes-of.ts';
import { HttpService, TOKEN, type Answer } from './support/http-service.ts';
import { Recording } from '../../recorded/recording.ts';
import { shownAnswer } from '../../recorded/shown-answer.ts';
import type { OpenApiCall, TokenOf } from './openapi/openapi-call.ts';
import { prepareCalls } from './openapi/prepare-calls.ts';
import { openApiCalls } from './openapi/openapi-calls.ts';

const PROBLEM = { Accept: 'application/problem+json' };

const isSuccess = (status: number): boolean => status >= 200 && status < 400;

/** An issuer at which everybody is Ada. */
const ISSUER: IdentityProviderPort = {
  settings: {
    issuer: 'https://id.example',
    scopes: ['openid'],
    rules: [{ claims: { sub: 'ada' }, name: 'ada', rights: ['read'] }],
  },
  begin: () =>
    Promise.resolve({
      location: 'https://id.example/authorize?state=one',
      started: { state: 'one', nonce: 'nonce', verifier: 'verifier' },
    }),
  finish: () => Promise.resolve(ADA),
  lookUp: () => Promise.resolve(ADA),
  endUrl: () => Promise.resolve('https://id.example/end'),
};

const ADA = { subject: 'ada', claims: { sub: 'ada' }, expiresIn: Infinity };

describe('The OpenAPI document', () => {
  let service: HttpService;
  let text: string;
  let document: OpenApiDocument;
  let validator: DocumentValidator;

  before(async () => {
    service = await startService();
    ({ text } = await service.request('GET', '/openapi.json', { token: '' }));
    document = JSON.parse(text) as OpenApiDocument;
    validator = new DocumentValidator(document);
  });

  after(() => service.stop());

  const startService = (): Promise<HttpService> =>
    new HttpService({
      ...{ maxJobsPerAdd: 10, encryptionKeys: [encryptionKey('2026a')] },
      ...{ identityProvider: () => ISSUER, publicUrl: 'http://jobs.example' },
    }).start();

  // holds: openapi.document
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(
      JSON.parse(text) as Record<string, unknown>,
    );
    expect(errors).to.equal(undefined);
    expect(valid).to.equal(true);
  });

  it('is what docs/openapi.json contains', () => {
    const file = join(import.meta.dirname, '../../../docs/openapi.json');
    expect(readFileSync(file, 'utf8')).to.equal(text);
  });

  it('names a schema that a client sends after the one it gets, with the suffix Input', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).to.include.members(['Scheduler', 'SchedulerInput']);
    expect(names.filter((name) => name.endsWith('InputInput'))).to.deep.equal([]);
  });

  // holds: openapi.derived
  it('has exactly the routes of the service', () => {
    const routes = routesOf(service.application);
    const pages = sitePages(() => document).map(({ path }) => ({ method: 'GET', path }));
    const expected = [...routes, ...pages].map(({ method, path }) => `${method} ${path}`);
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => {
        return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
      }),
    );
    expect(operations).to.have.members(expected);
  });

  const recording = new Recording('answers');

  describe('describes every call and every answer correctly', () => {
    // Its answers are the same whichever tests ran before.
    let ofCalls: HttpService;
    let tokenOf: TokenOf;
    const called = new Map<string, Set<number>>();

    before(async () => {
      ofCalls = await startService();
      tokenOf = await prepareCalls(ofCalls);
    });
    after(() => ofCalls.stop());

    for (const [resource, callsOf] of Object.entries(openApiCalls)) {
      // holds: openapi.derived
      it(`those of ${resource}`, async () => {
        for (const call of callsOf(tokenOf)) {
          await expectDescribed(ofCalls, call);
          const { operationId, status } = call;
          called.set(operationId, (called.get(operationId) ?? new Set()).add(status));
        }
      });
    }

    it('with the answers that were recorded', () => {
      recording.expectUnchanged();
    });

    // holds: openapi.derived
    it('every operation, correctly called and with a mistake', () => {
      for (const operation of Object.values(document.paths).flatMap((each) =>
        Object.values(each),
      )) {
        const { operationId, security, requestBody, parameters } = operation;
        expect([...(called.get(operationId) ?? [])].some(isSuccess), operationId).to.equal(true);
        const takes = security.length > 0 && (requestBody ?? parameters) !== undefined;
        if (takes) expect([...called.get(operationId)!].some((each) => each >= 400)).to.equal(true);
      }
    });
  });

  for (const [error, status] of [
    [storeUnavailable(new Error('gone')), 503],
    [new Error('a defect'), 500],
  ] as const) {
    // holds: openapi.derived
    it(`describes the answers of a service that fails with ${status}`, async () => {
      const replace = {
        ...failingApplication(service.application, error),
        events: new Events(failing(error), failing(error), new FakeClock()),
      };
      const other = await new HttpService({ replace }).start();
      try {
        const calls = Object.values(openApiCalls)
          .flatMap((callsOf) => callsOf(() => 'job-token'))
          .filter((call) => isSuccess(call.status));
        for (const { operationId, path, body, token } of calls) {
          const { method, operation } = validator.operation(operationId);
          // The rights of a token are known without the application, and so are the tools.
          const isKnown = ['readOwnAccess', 'sendMcpMessage'].includes(operationId);
          if (operation.security.length === 0 || isKnown) continue;
          for (const headers of [{}, PROBLEM]) {
            const given = { token: token ?? TOKEN, headers };
            const request = { ...given, ...(body !== undefined && { body }) };
            const answer = await other.request(method.toUpperCase(), path, request);
            expect(answer.status, operationId).to.equal(status);
            expect(validator.answerMistakes(operationId, answer), operationId).to.deep.equal([]);
          }
        }
      } finally {
        await other.stop();
      }
    });
  }

  // holds: openapi.open-enums
  it('declares the enumerations of answers open, and those of requests closed', async () => {
    const worker = { queue: 'later', endpoint: { url: 'http://a.example', method: 'post' } };
    await service.request('POST', '/workers', { body: worker });
    const jobs = await service.request('POST', '/queues/later/jobs', {
      body: [{ name: 'job', data: 1 }],
    });
    const [{ id }] = JSON.parse(jobs.text) as [{ id: string }];
    for (const [operation, path, word] of [
      ['readJob', `/queues/later/jobs/${id}`, 'waiting'],
      ['listJobs', '/queues/later/jobs', 'waiting'],
      ['readWorker', '/workers/later', 'post'],
      ['readLiveness', '/health/live', 'up'],
      ['readReadiness', '/health/ready', 'ready'],
    ] as const) {
      const answer = await service.request('GET', path);
      const text = answer.text.replaceAll(`:"${word}"`, ':"suspended"');
      expect(text).not.to.equal(answer.text);
      const later = { ...answer, text };
      expect(validator.answerMistakes(operation, later), path).to.deep.equal([]);
    }
    const other = { ...worker, endpoint: { ...worker.endpoint, method: 'suspended' } };
    expect(validator.requestMistakes('registerWorker', '/workers', worker)).to.deep.equal([]);
    expect(validator.requestMistakes('registerWorker', '/workers', other)).not.to.be.empty;
  });

  it('describes a replica that is not ready', async () => {
    service.fleet.reconciled = false;
    const answer = await service.request('GET', '/health/ready');
    service.fleet.reconciled = true;
    expect(answer.status).to.equal(503);
    expect(validator.answerMistakes('readReadiness', answer)).to.deep.equal([]);
  });

  /** The documentation is compared with its source. */
  function note(title: string, answer: Answer): void {
    if (!/^read(?:OpenApi|Docs) /.test(title)) recording.note(title, shownAnswer(answer));
  }

  async function expectDescribed(ofCalls: HttpService, call: OpenApiCall): Promise<void> {
    const { operationId: id, path, status, body, token = TOKEN, headers } = call;
    const method = validator.operation(id).method.toUpperCase();
    const title = `${id} ${path} ${status}`;
    const redirect = 'manual' as const;
    const request = { token, redirect, ...(body !== undefined && { body }) };
    const answer = await ofCalls.request(method, path, { ...request, ...(headers && { headers }) });
    expect(answer.status, `${title}: ${answer.text}`).to.equal(status);
    note(`${id} ${path}`, answer);
    expect(validator.answerMistakes(id, answer), title).to.deep.equal([]);
    if (status === 200) expect(validator.requestMistakes(id, path, body)).to.deep.equal([]);
    if (status === 400) expect(validator.requestMistakes(id, path, body), title).not.to.be.empty;
    // Mistakes in messages of the Model Context Protocol are answered according to JSON-RPC.
    if (status < 400 || id === 'sendMcpMessage') return;
    const asProblem = { ...request, headers: { ...headers, ...PROBLEM } };
    const problem = await ofCalls.request(method, path, asProblem);
    note(`${id} ${path} as a problem`, problem);
    expect(problem.headers.get('content-type')).to.include('application/problem+json');
    expect(validator.answerMistakes(id, problem), title).to.deep.equal([]);
  }
});
