import { isObject } from '../../../../../domain/values/json.ts';
import { DomainError } from '../../../../../domain/errors.ts';
import { readJson } from '../../messages/json-text.ts';
import { mistaken } from '../../messages/mistakes.ts';
import type { BodyFormat } from '../../messages/body-format.ts';

export type MessageId = string | number;

/** A message of a client (JSON-RPC 2.0 as MCP restricts it: an id is never null, and messages come one at a time). */
export type ClientMessage =
  | {
      readonly kind: 'request';
      readonly id: MessageId;
      readonly method: string;
      readonly params: Params;
    }
  /** A notification, or an answer to a request that the service never makes. */
  | { readonly kind: 'other' }
  | { readonly kind: 'invalid'; readonly code: number; readonly reason: string };

export type Params = Readonly<Record<string, unknown>>;

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;

/** The most characters of an id, which its answer repeats, and of the name of a method. */
const LONGEST_TEXT = 1000;

/** The most fields of a message, and of its parameters. */
const MOST_FIELDS = 100;

const messageSchema = {
  type: 'object',
  properties: {
    jsonrpc: { const: '2.0' },
    id: {
      type: ['string', 'integer'],
      maxLength: LONGEST_TEXT,
      description: 'Absent in a notification',
    },
    method: { type: 'string', maxLength: LONGEST_TEXT },
    params: { type: 'object', maxProperties: MOST_FIELDS },
  },
  required: ['jsonrpc'],
  maxProperties: MOST_FIELDS,
};

export const messageBody: BodyFormat<ClientMessage> = {
  expected: 'a message of the Model Context Protocol',
  content: { 'application/json': { schema: messageSchema } },
  parse: (bytes) => {
    try {
      const { value, mistakes } = readJson(bytes);
      if (mistakes.length > 0) throw mistaken(mistakes, value);
      return messageOf(value);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { kind: 'invalid', code: PARSE_ERROR, reason: error.message };
    }
  },
};

function messageOf(value: unknown): ClientMessage {
  if (Array.isArray(value)) return invalid('Messages must be sent one at a time');
  if (!hasFields(value) || value['jsonrpc'] !== '2.0') {
    return invalid(
      `A message must be an object with "jsonrpc": "2.0" and at most ${MOST_FIELDS} fields`,
    );
  }
  const { id, method, params = {} } = value;
  if (method === undefined && id !== undefined && ('result' in value || 'error' in value)) {
    return { kind: 'other' };
  }
  if (!isText(method)) {
    return invalid(`method must be a string of at most ${LONGEST_TEXT} characters`);
  }
  if (!hasFields(params)) {
    return invalid(`params must be an object of at most ${MOST_FIELDS} fields`);
  }
  if (id === undefined) return { kind: 'other' };
  if (!isText(id) && !Number.isInteger(id)) {
    return invalid(`id must be a string of at most ${LONGEST_TEXT} characters or an integer`);
  }
  return { kind: 'request', id: id as MessageId, method, params };
}

function hasFields(value: unknown): value is Params {
  return isObject(value) && Object.keys(value).length <= MOST_FIELDS;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT;
}

function invalid(reason: string): ClientMessage {
  return { kind: 'invalid', code: INVALID_REQUEST, reason };
}
