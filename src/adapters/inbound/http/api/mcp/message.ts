import { isObject } from '../../../../../domain/values/json.ts';
import { DomainError } from '../../../../../domain/errors.ts';
import { readJson } from '../../messages/json-text.ts';
import { mistaken } from '../../messages/mistakes.ts';
import type { BodyFormat } from '../../messages/request-body.ts';

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

const messageSchema = {
  type: 'object',
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'integer'], description: 'Absent in a notification' },
    method: { type: 'string' },
    params: { type: 'object' },
  },
  required: ['jsonrpc'],
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
  if (!isObject(value) || value['jsonrpc'] !== '2.0') {
    return invalid('A message must be an object with "jsonrpc": "2.0"');
  }
  const { id, method, params = {} } = value;
  if (method === undefined && id !== undefined && ('result' in value || 'error' in value)) {
    return { kind: 'other' };
  }
  if (typeof method !== 'string') return invalid('method must be a string');
  if (!isObject(params)) return invalid('params must be an object');
  if (id === undefined) return { kind: 'other' };
  if (typeof id !== 'string' && !Number.isInteger(id)) {
    return invalid('id must be a string or an integer');
  }
  return { kind: 'request', id: id as MessageId, method, params };
}

function invalid(reason: string): ClientMessage {
  return { kind: 'invalid', code: INVALID_REQUEST, reason };
}
