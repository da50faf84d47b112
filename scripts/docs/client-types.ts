/** The names of the answers and inputs that the TypeScript client has; those that they refer to come with them. */
const SCHEMAS = [
  'AllSchedulers',
  'AuditPage',
  'BulkRepairInput',
  'CancellationInput',
  'ChangedWorker',
  'CreatedToken',
  'Drained',
  'EndedJob',
  'Failures',
  'FiguredQueuesPage',
  'Figures',
  'FlowChild',
  'FlowJobInput',
  'GroupsPage',
  'Held',
  'Hook',
  'HookDeliveries',
  'HookInput',
  'Hooks',
  'Job',
  'JobAttempts',
  'BlockedJob',
  'JobChangeInput',
  'JobInput',
  'JobLogs',
  'JobSearch',
  'JobSteps',
  'JobsPage',
  'LatestCall',
  'Limit',
  'LimitSettingsInput',
  'Limits',
  'Policy',
  'PolicyInput',
  'Queue',
  'QueuesAtLimit',
  'QueueDeduplication',
  'QueueFailure',
  'QueueRemoval',
  'QueuesPage',
  'LetterRedriveInput',
  'RepairResult',
  'RetryInput',
  'Rewrap',
  'Scheduler',
  'SavedHook',
  'SchedulerInput',
  'Secret',
  'SessionsPage',
  'Signals',
  'SignalSent',
  'Published',
  'Subscription',
  'SubscriptionInput',
  'Topic',
  'Topics',
  'StoredFlowJob',
  'SummariesPage',
  'SummarySearch',
  'SuspendInput',
  'System',
  'TokensPage',
  'Whoami',
  'Worker',
  'WorkerChangeInput',
  'WorkerHealth',
  'WorkerInput',
  'WorkerTestReport',
  'WorkersHealth',
];

/** The operations whose queries it has, by the names of these queries. */
const QUERIES: Readonly<Record<string, string>> = {
  listJobs: 'JobsQuery',
  listQueues: 'QueuesQuery',
  listSchedulers: 'SchedulersQuery',
  listSignals: 'SignalsQuery',
  listWorkers: 'WorkersQuery',
  readFailures: 'FailuresQuery',
  readFigures: 'FiguresQuery',
  readLogs: 'LogsQuery',
  readRecentFailures: 'RecentFailuresQuery',
  readChildren: 'ChildrenQuery',
  searchJobs: 'SearchQuery',
};

const OPEN = `/** One of the known values, or one that another version of the service knows. */
export type Open<Known extends string> = Known | (string & NonNullable<unknown>);`;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: boolean;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
    readonly schema: Schema;
  }[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The types of the TypeScript client, as the OpenAPI document describes them. */
export function clientTypes(text: string): string {
  const { paths, components } = JSON.parse(text) as Document;
  const reached = new Set(SCHEMAS);
  // A set is gone through with what is added meanwhile.
  for (const name of reached) {
    for (const [, other] of JSON.stringify(components.schemas[name]).matchAll(/schemas\/(\w+)"/g)) {
      if (other !== undefined) reached.add(other);
    }
  }
  const answers = [...reached].sort().map((name) => declared(name, components.schemas[name] ?? {}));
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const queries = Object.entries(QUERIES).map(([id, name]) => {
    const { parameters = [] } = operations.find(({ operationId }) => operationId === id) ?? {};
    return queryType(name, parameters);
  });
  return [
    '// Written by `npm run docs` from the OpenAPI document.',
    OPEN,
    ...answers,
    ...queries.sort(),
  ].join('\n\n');
}

function declared(name: string, { properties, required = [], ...schema }: Schema): string {
  if (properties === undefined) return `export type ${name} = ${typeOf(schema)};`;
  const isAnswer = !name.endsWith('Input');
  const fields = Object.entries(properties).map(([field, value]) => {
    const type = typeOf(value);
    // Whether a field of any value is absent from an answer makes no difference to its reader.
    const isRequired = required.includes(field) || (isAnswer && type === 'unknown');
    return fieldOf(field, isRequired, value.description, type);
  });
  return `export interface ${name} {\n${fields.join('\n')}\n}`;
}

function queryType(name: string, parameters: NonNullable<Operation['parameters']>): string {
  const fields = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.name !== 'cursor')
    .map(({ name: field, description, schema }) => {
      const isList = schema.pattern?.includes(',') === true;
      return fieldOf(
        field,
        false,
        description,
        isList ? 'string | readonly string[]' : typeOf(schema),
      );
    });
  return `export interface ${name} {\n${fields.join('\n')}\n}`;
}

function fieldOf(name: string, isRequired: boolean, description: string | undefined, type: string) {
  const key = /^[A-Za-z]\w*$/.test(name) ? name : `'${name}'`;
  const comment = description === undefined ? '' : `  /** ${description}. */\n`;
  const optional = isRequired ? ': ' : '?: ';
  const absent = isRequired || type === 'unknown' ? '' : ' | undefined';
  return `${comment}  readonly ${key}${optional}${type}${absent};`;
}

function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, items, additionalProperties, properties } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (anyOf !== undefined) {
    // The document says by a string beside them that there may be further values.
    const isOpen = anyOf.some((one) => one.enum !== undefined);
    const members = anyOf.filter(
      (one) => !isOpen || one.enum !== undefined || one.type !== 'string',
    );
    return [...new Set(members.map(typeOf))].join(' | ');
  }
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum !== undefined) return enumeration(schema.enum);
  if (items !== undefined) return `readonly (${typeOf(items)})[]`;
  if (type === 'integer') return 'number';
  if (type !== 'object') return type ?? 'unknown';
  if (properties !== undefined) throw new Error('An object within another has no name');
  return `Readonly<Record<string, ${
    typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  }>>`;
}

function enumeration(values: readonly unknown[]): string {
  const isText = values.every((value) => typeof value === 'string');
  return isText ? `Open<${values.map((value) => `'${value}'`).join(' | ')}>` : 'number';
}
