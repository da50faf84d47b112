import { rightOf } from '../../../../../domain/access/required-access.ts';
import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import { string, type JsonSchema, type Shape } from '../../../../../domain/values/shape.ts';
import type { ErrorCode } from '../../../exchange/http-error.ts';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from '../../messages/openapi.ts';
import { TAGS, type ReplyContent } from '../../messages/operation.ts';
import { JSON_TYPE } from '../../messages/reply.ts';
import { authOf } from '../authentication.ts';
import { IDEMPOTENCY_KEY, idempotencyKeySchema } from '../idempotency-key.ts';
import { startCostShape } from '../../../../../domain/queues/start-cost.ts';
import { PREFER, preferWaitSchema } from '../prefer-wait.ts';
import { LAST_EVENT_ID } from '../last-event-id.ts';
import type { RouteDeclaration } from '../route.ts';
import { ErrorResponses } from './error-responses.ts';
import { SchemaComponents } from './schema-components.ts';

const DESCRIPTION =
  'An HTTP gateway to job queues. Add jobs to named queues, register the endpoint of a queue, and the ' +
  'endpoint is called for every job.\n\nErrors are plain text. A client whose Accept header names ' +
  'application/problem+json gets them as RFC 9457. A client whose Accept header names application/json gets ' +
  '"OK" as a JSON string, others the text OK. Every answer carries X-Request-Id: the id of the ' +
  'request, if it has one, or a new one. GET is answered for HEAD too. Clients must ignore fields and values ' +
  'that they do not know: later versions may add some. A token without the right `data` gets answers without ' +
  '`data`, `returnvalue`, `progress` and `response`.';

/** Rights stand where OpenAPI lists the scopes of other schemes. */
function security({
  access,
  orRight,
  andRight,
  orHolder = false,
}: RouteDeclaration): OpenApiOperation['security'] {
  const auth = authOf(access);
  if (auth === 'none') return [];
  if (auth === 'job') return [{ jobToken: [] }];
  const right = rightOf(access);
  const other = orRight === undefined ? [] : [{ apiToken: [orRight] }];
  const rights = [right, andRight].filter((each) => each !== undefined);
  return [{ apiToken: rights }, ...other, ...(orHolder ? [{ jobToken: [] }] : [])];
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  queue: 'The name of the queue',
  set: 'The name of the set',
  jobId: 'The id of the job in its queue',
  step: 'The name of the step',
  key: 'The key of the signal',
  schedulerId: 'The id of the scheduler in its queue',
  group: 'The id of the group in its queue',
  hook: 'The id of the hook',
  limit: 'The name of the limit',
  topic: 'The name of the topic',
  subscription: 'The id of the subscription in its topic',
  delivery: 'The id of the delivery',
  id: 'The id of the token or the session',
  deduplicationId: 'The id in the `deduplication` of a job',
};

const EVERY_ERROR: readonly ErrorCode[] = ['invalid-request', 'internal-error'];
const TOKEN_ERRORS: readonly ErrorCode[] = ['unauthorized', 'store-unavailable', 'overloaded'];
const CHANGE_ERRORS: readonly ErrorCode[] = ['store-full'];

/** A caller with an API token may be limited. */
const LIMIT_ERRORS: readonly ErrorCode[] = ['limit-reached'];
const RIGHT_ERRORS: readonly ErrorCode[] = ['forbidden'];
const REPEAT_ERRORS: readonly ErrorCode[] = ['idempotency-key-in-use', 'idempotency-key-reused'];
const BODY_ERRORS: readonly ErrorCode[] = [
  'request-timeout',
  'body-too-large',
  'encoding-not-supported',
];

const idempotencyKey: OpenApiParameter = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  required: false,
  description:
    'Any text of your own, with or without the quotes of a structured string. For 24 hours a request with the same key and body gets the answer of the first, ' +
    'and changes nothing.',
  schema: idempotencyKeySchema,
};

const preferWait: OpenApiParameter = {
  name: PREFER,
  in: 'header',
  required: false,
  description: 'Seconds to wait for the outcome of the request, up to 60 (RFC 7240)',
  schema: preferWaitSchema,
};

const cost: OpenApiParameter = {
  name: 'Jobgate-Cost',
  in: 'header',
  required: false,
  description:
    'The amount that the start of the attempt counts in limiters; ignored if it is malformed',
  schema: startCostShape.schema,
};

const applied = {
  'Preference-Applied': {
    required: false,
    description: 'The preference that was applied',
    schema: { type: 'string', pattern: '^wait=[0-9]+$' },
  },
};
function lastEventId({ schema }: Shape<string>): OpenApiParameter {
  return {
    name: LAST_EVENT_ID,
    in: 'header',
    required: false,
    description:
      'The id of the last event that the client received, as browsers send it when they reconnect',
    schema,
  };
}

const replayed = {
  'Idempotent-Replayed': {
    required: false,
    description: 'The answer repeats that of an earlier request with the same Idempotency-Key',
    schema: { type: 'string', const: 'true' },
  },
};

/** The interface of the service as an OpenAPI document: its routes and the shapes that they name. */
export function openApiDocument(
  routes: readonly RouteDeclaration[],
  version: string,
  queueName: Shape<QueueName>,
): OpenApiDocument {
  const components = new SchemaComponents();
  const errors = new ErrorResponses(components);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) {
    const methods = (paths[route.path.replace(/:(\w+)/g, '{$1}')] ??= {});
    methods[route.method.toLowerCase()] = operation(route, components, errors, queueName);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'jobgate',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT License', identifier: 'MIT' },
      contact: { name: 'jobgate contributors' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components.all(),
      responses: errors.all(),
      securitySchemes: {
        apiToken: bearer(
          'An API token that has the rights which stand with it at an operation, or `admin`',
        ),
        ticket: {
          type: 'apiKey',
          in: 'query',
          name: 'ticket',
          description: 'A ticket of `POST /tickets`, which can be used once',
        },
        jobToken: bearer('The token that comes with the call for a job, as long as that call runs'),
      },
    },
  };
}

function operation(
  route: RouteDeclaration,
  components: SchemaComponents,
  errors: ErrorResponses,
  queueName: Shape<QueueName>,
): OpenApiOperation {
  const parameters = [
    ...pathParameters(route.path, queueName),
    ...queryParameters(route),
    ...(route.isRepeatable === true ? [idempotencyKey] : []),
    ...(route.mayWait === true ? [preferWait] : []),
    ...(route.takesCost === true ? [cost] : []),
    ...(route.resumesBehind ? [lastEventId(route.resumesBehind)] : []),
  ];
  const bounded = parameters.map((parameter) => ({
    ...parameter,
    schema: boundedByHead(parameter.schema),
  }));
  const responses: Record<string, OpenApiResponse> = {};
  for (const [status, reply] of Object.entries(route.replies)) {
    const { description } = reply;
    const content = replyContent(reply, components);
    const headers = {
      ...(route.isRepeatable === true && replayed),
      ...(route.mayWait === true && applied),
    };
    const hasHeaders = Object.keys(headers).length > 0;
    responses[status] = { description, ...(hasHeaders && { headers }), content };
  }
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: [...security(route), ...(route.takesTicket === true ? [{ ticket: [] }] : [])],
    ...(bounded.length > 0 && { parameters: bounded }),
    ...(route.body && {
      requestBody: {
        required: route.body.whenAbsent === undefined,
        content: requestContent(route.body.content, components),
      },
    }),
    responses: { ...errors.of(errorCodes(route), route.errorStyle ?? 'text'), ...responses },
  };
}

/** The server reads no more bytes of the path and the headers together (431). */
const MAX_HEAD = 16_384;

function boundedByHead(schema: JsonSchema): JsonSchema {
  const isOpen = schema['type'] === 'string' && !('enum' in schema) && !('const' in schema);
  return isOpen && !('maxLength' in schema) ? { ...schema, maxLength: MAX_HEAD } : schema;
}

function errorCodes({
  method,
  access,
  body,
  isRepeatable = false,
  errors = [],
}: RouteDeclaration): readonly ErrorCode[] {
  return [
    ...EVERY_ERROR,
    ...(access === 'nothing' ? [] : TOKEN_ERRORS),
    ...(access === 'nothing' || method === 'GET' ? [] : CHANGE_ERRORS),
    ...(access === 'nothing' || access === 'job-token' ? [] : LIMIT_ERRORS),
    ...(rightOf(access) === undefined ? [] : RIGHT_ERRORS),
    ...(body === undefined ? [] : BODY_ERRORS),
    ...(isRepeatable ? REPEAT_ERRORS : []),
    ...errors,
  ];
}

function replyContent(
  { contentType, schema, orJson }: ReplyContent,
  components: SchemaComponents,
): OpenApiContent {
  if (contentType === undefined) return {};
  return {
    [mediaType(contentType)]: { schema: components.ofReply(schema) },
    ...(orJson && { [mediaType(JSON_TYPE)]: { schema: components.ofReply(orJson) } }),
  };
}

function requestContent(content: OpenApiContent, components: SchemaComponents): OpenApiContent {
  const entries = Object.entries(content);
  return Object.fromEntries(
    entries.map(([type, { schema }]) => [type, { schema: components.ofRequest(schema) }]),
  );
}

function pathParameters(path: string, queueName: Shape<QueueName>): readonly OpenApiParameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const { schema } = name === 'queue' ? queueName : string;
    const description = PATH_PARAMETERS[name];
    if (description === undefined) throw new Error(`The parameter ${name} has no description`);
    return { name, in: 'path', required: true, description, schema };
  });
}

function queryParameters({ query = {} }: RouteDeclaration): readonly OpenApiParameter[] {
  if (query === 'ignored') return [];
  return Object.entries(query).map(([name, { schema, description }]) => {
    return { name, in: 'query', required: false, description, schema };
  });
}

/** Without its parameters. */
function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0] ?? '';
}

function bearer(description: string) {
  return { type: 'http', scheme: 'bearer', description } as const;
}
