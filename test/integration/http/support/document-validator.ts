import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiResponse,
} from '../../../../src/adapters/inbound/http/messages/openapi.ts';
import type { JsonSchema } from '../../../../src/domain/values/shape.ts';
import type { Answer } from './http-service.ts';

/** Checks requests and answers against an OpenAPI document, with a validator that knows only the document. */
export class DocumentValidator {
  readonly #document: OpenApiDocument;
  readonly #schemas: OpenApiDocument['components']['schemas'];
  readonly #ajv = new Ajv2020({ allErrors: true });
  readonly #validators = new Map<
    (schema: JsonSchema) => JsonSchema,
    Map<JsonSchema, ValidateFunction>
  >();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#schemas = closed(document.components.schemas);
    addFormats.default(this.#ajv);
    this.#ajv.addKeyword('components');
  }

  operation(id: string): {
    readonly method: string;
    readonly path: string;
    readonly operation: OpenApiOperation;
  } {
    for (const [path, methods] of Object.entries(this.#document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (operation.operationId === id) return { method, path, operation };
      }
    }
    throw new Error(`The document has no operation ${id}`);
  }

  /** How the request violates the document; parameters of the path are left to the path itself. */
  requestMistakes(id: string, target: string, body: unknown): readonly string[] {
    const { operation, path } = this.operation(id);
    const url = new URL(target, 'http://localhost');
    const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const inPath = pattern.exec(url.pathname)?.groups ?? {};
    const mistakes: string[] = [];
    const known = new Set<string>();
    for (const { name, in: place, schema } of operation.parameters ?? []) {
      const text = place === 'path' ? inPath[name] : url.searchParams.get(name);
      known.add(name);
      if (text === null || text === undefined) continue;
      mistakes.push(...this.#mistakes(schema, parameterValue(schema, text)));
    }
    for (const name of url.searchParams.keys()) {
      if (!known.has(name)) mistakes.push(`${name} is not in the document`);
    }
    const { required, content } = operation.requestBody ?? {};
    if (required === true && body === '') mistakes.push('There is no body');
    const schema = content?.['application/json']?.schema;
    const mayBeAbsent = required === false && body === undefined;
    if (schema !== undefined && !mayBeAbsent) mistakes.push(...this.#mistakes(schema, body));
    return mistakes;
  }

  /** How the answer violates the document. */
  answerMistakes(id: string, { status, headers, text }: Answer): readonly string[] {
    const { responses } = this.operation(id).operation;
    const found = responses[status];
    if (found === undefined) return [`${id} has no answer ${status}`];
    const response = '$ref' in found ? this.#response(found.$ref) : found;
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      if ('required' in header && header.required === false) continue;
      if (!headers.has(name)) return [`The header ${name} is missing`];
    }
    return this.#contentMistakes(response.content, headers.get('content-type') ?? '', text);
  }

  #contentMistakes(content: OpenApiContent, contentType: string, text: string): readonly string[] {
    const [type = ''] = contentType.split(';');
    if (Object.keys(content).length === 0 && text === '') return [];
    const schema = content[type]?.schema;
    if (schema === undefined) return [`${type} is not in the document`];
    return this.#mistakes(schema, type.endsWith('json') ? JSON.parse(text) : text, closed);
  }

  #response(reference: string): OpenApiResponse {
    const response = this.#document.components.responses[reference.split('/').at(-1) ?? ''];
    if (response === undefined) throw new Error(`The document has no ${reference}`);
    return response;
  }

  #mistakes(schema: JsonSchema, value: unknown, as = asItIs): readonly string[] {
    const validate = this.#validatorOf(schema, as);
    if (validate(value)) return [];
    return validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  }

  /** Compiled once: that takes some hundredths of a second, and most operations answer the same in part. */
  #validatorOf(schema: JsonSchema, as: (schema: JsonSchema) => JsonSchema): ValidateFunction {
    const known = this.#validators.get(as) ?? new Map<JsonSchema, ValidateFunction>();
    this.#validators.set(as, known);
    const components = { schemas: this.#schemas };
    const validate = known.get(schema) ?? this.#ajv.compile({ ...as(schema), components });
    known.set(schema, validate);
    return validate;
  }
}

/** The value that the text of a parameter stands for; any other text is its own value. */
function parameterValue({ type }: JsonSchema, text: string): unknown {
  if (type === 'integer') return Number(text);
  if (type === 'boolean' && ['true', 'false'].includes(text)) return text === 'true';
  return decodeURIComponent(text);
}

const asItIs = (schema: JsonSchema): JsonSchema => schema;

/** The schema, closed for fields that it does not name: this version returns no others. */
function closed<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((each: unknown) => closed(each)) as T;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value as unknown)]),
  );
  const isOpen = 'properties' in inner && inner['additionalProperties'] === undefined;
  return (isOpen ? { ...inner, additionalProperties: false } : inner) as T;
}
