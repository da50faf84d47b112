import { object, integer, oneOf, required, string } from '../../../../../domain/values/shape.ts';
import type { ErrorCode } from '../../../exchange/http-error.ts';
import type { OpenApiContent, OpenApiResponse, Reference } from '../../messages/openapi.ts';
import { STORED, type ErrorStyle } from '../error-reply.ts';
import { ERROR_STATUS } from '../../../exchange/error-status.ts';
import type { SchemaComponents } from './schema-components.ts';

interface ErrorDescription {
  readonly name: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds', schema: { type: 'string', pattern: '^[0-9]+$' } },
};

const DESCRIPTIONS: Readonly<Record<number, ErrorDescription>> = {
  400: { name: 'BadRequest', description: 'The request is invalid. Each line names a mistake.' },
  401: {
    name: 'Unauthorized',
    description: 'The token is missing or invalid.',
    headers: {
      'WWW-Authenticate': {
        schema: { type: 'string', pattern: '^Bearer( error="invalid_token")?$' },
      },
    },
  },
  403: {
    name: 'Forbidden',
    description: 'The token or ticket does not allow this.',
    headers: {
      'WWW-Authenticate': {
        required: false,
        description: 'Names the right that the token lacks',
        schema: { type: 'string', pattern: '^Bearer error="insufficient_scope", scope="[a-z]+"$' },
      },
    },
  },
  404: { name: 'NotFound', description: 'The resource in the path does not exist.' },
  408: { name: 'Timeout', description: 'No byte of the body arrived for 10 s.' },
  409: {
    name: 'Conflict',
    description: 'The current state does not allow this, or not yet.',
    headers: {
      'Retry-After': {
        ...RETRY_AFTER['Retry-After'],
        required: false,
        description: 'Seconds, while the first request with the Idempotency-Key is in progress',
      },
    },
  },
  413: { name: 'TooLarge', description: 'The request holds or asks for too much.' },
  415: { name: 'UnsupportedEncoding', description: 'The body must not be compressed.' },
  416: {
    name: 'NotInRange',
    description: 'The `Range` begins behind the end.',
    headers: {
      'Content-Range': {
        description: 'The size',
        schema: { type: 'string', pattern: '^bytes \\*/[0-9]+$' },
      },
    },
  },
  422: { name: 'KeyReused', description: 'The Idempotency-Key was used with another body.' },
  426: {
    name: 'UpgradeRequired',
    description: 'The version of the WebSocket protocol is not supported.',
    headers: {
      'Sec-WebSocket-Version': {
        description: 'The supported versions',
        schema: { type: 'string', const: '13, 8' },
      },
    },
  },
  429: {
    name: 'TooMany',
    description: 'There is no room for this request. Try again later.',
    headers: RETRY_AFTER,
  },
  500: { name: 'InternalError', description: 'The service failed. Its log says why.' },
  503: {
    name: 'Unavailable',
    description:
      'The store cannot be reached, or the service is overloaded. Nothing is stored, unless `Jobgate-Stored` says ' +
      'otherwise. Try again later.',
    headers: {
      ...RETRY_AFTER,
      [STORED]: {
        required: false,
        description:
          'The connection to the store broke in the commit: the change is stored as a whole or not at all. A repetition ' +
          'with the same `Idempotency-Key` stores nothing twice.',
        schema: { type: 'string', const: 'unknown' },
      },
    },
  },
  507: { name: 'StoreFull', description: 'The disk or the memory of the store is full.' },
};

/** RFC 9457. */
const problem = object('Problem', {
  type: required(string, 'Always about:blank'),
  title: required(string, 'The meaning of the status'),
  status: required(integer(400, 599), 'The status of the answer'),
  detail: required(string, 'The mistakes, each on a line'),
  code: required(oneOf(...Object.keys(ERROR_STATUS)), 'The kind of error, for programs'),
});

const errorAnswer = object('Error', { error: required(string, 'The mistake') });

/** The error responses, each described once. */
export class ErrorResponses {
  readonly #components: SchemaComponents;
  readonly #responses = new Map<string, OpenApiResponse>();

  constructor(components: SchemaComponents) {
    this.#components = components;
  }

  /** The answers of a route with these errors, by status. */
  of(codes: readonly ErrorCode[], style: ErrorStyle): Readonly<Record<string, Reference>> {
    const statuses = new Set(codes.map((code) => ERROR_STATUS[code]));
    return Object.fromEntries([...statuses].map((status) => [status, this.#one(status, style)]));
  }

  /** All responses by name, in the order of the names. */
  all(): Readonly<Record<string, OpenApiResponse>> {
    const entries = [...this.#responses];
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #one(status: number, style: ErrorStyle): Reference {
    const known = DESCRIPTIONS[status];
    if (known === undefined) throw new Error(`The status ${status} has no description`);
    const isJson = style === 'json' && (status === 400 || status === 404);
    const isPage = style === 'page' && status !== 404;
    const name = `${known.name}${isJson ? 'Json' : isPage ? 'Page' : ''}`;
    const { description, headers } = known;
    this.#responses.set(name, {
      description,
      ...(headers && { headers }),
      content: this.#content(isJson, isPage ? 'text/html' : 'text/plain'),
    });
    return { $ref: `#/components/responses/${name}` };
  }

  #content(isJson: boolean, otherwise: string): OpenApiContent {
    return {
      ...(isJson
        ? { 'application/json': { schema: this.#components.ofReply(errorAnswer.schema) } }
        : { [otherwise]: { schema: { type: 'string' } } }),
      'application/problem+json': { schema: this.#components.ofReply(problem.schema) },
    };
  }
}
