import { EventLoopTurns } from '../../src/adapters/inbound/http/messages/event-loop-turns.ts';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ATTACKS } from '../../bench/hostile/attacks.ts';
import { changingTools } from '../../src/adapters/inbound/http/api/mcp/changing-tools.ts';
import { readingTools } from '../../src/adapters/inbound/http/api/mcp/reading-tools.ts';
import { RepairCodes } from '../../src/application/jobs/repair-codes.ts';
import { RandomTokens } from '../../src/infrastructure/random-tokens.ts';
import { BOUNDS } from '../../scripts/docs/bounds.ts';
import { describedOperations } from '../../scripts/docs/described-operations.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly [keyword: string]: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

/** The places of a request's schema that state no bound, by their paths. */
function unboundedIn(schema: Schema, path: string, within: readonly string[] = []): string[] {
  if (schema.$ref !== undefined) {
    if (within.includes(schema.$ref)) return [];
    const name = schema.$ref.split('/').at(-1)!;
    return unboundedIn(document.components.schemas[name]!, path, [...within, schema.$ref]);
  }
  const inner = (other: Schema | boolean | undefined, suffix: string): string[] =>
    typeof other === 'object' ? unboundedIn(other, path + suffix, within) : [];
  const isOpen = schema['enum'] === undefined && schema['const'] === undefined;
  const is = (type: string): boolean => [schema.type].flat().includes(type);
  const lacks = (keyword: string): string[] =>
    schema[keyword] === undefined ? [`${path} has no ${keyword}`] : [];
  return [
    ...(schema.anyOf ?? []).flatMap((other) => inner(other, '')),
    ...(is('string') && isOpen ? lacks('maxLength') : []),
    ...(is('array') ? lacks('maxItems') : []),
    ...(is('object') && schema.additionalProperties !== false ? lacks('maxProperties') : []),
    ...inner(schema.items, '[]'),
    ...inner(schema.propertyNames, ' (name)'),
    ...inner(schema.additionalProperties, ' (value)'),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, other]) => inner(other, `.${name}`)),
  ];
}

function unboundedOf({ operationId, parameters = [], requestBody }: Operation): readonly string[] {
  const bodies = Object.values(requestBody?.content ?? {});
  return [
    ...parameters.flatMap(({ name, schema }) => unboundedIn(schema, `${operationId} ${name}`)),
    ...bodies.flatMap(({ schema }) => unboundedIn(schema, operationId)),
  ];
}

/** These change or end what is there, or only read. */
const CREATES_NOTHING = new Set([
  'changeJob',
  'updateProgress',
  'completeJob',
  'failJob',
  'extendLock',
  'releaseJob',
  'promoteJob',
  'cancelJob',
  'promoteJobs',
  'cleanJobs',
  'erase',
  'cancelJobs',
  // The jobs were there before.
  'redriveJobs',
  'resumeQueue',
  'drainQueue',
  'resumeGroup',
  'pauseScheduler',
  'testWorker',
  'testHook',
  'disableWorker',
  'enableWorker',
  'rewrapSecrets',
  'backUpStore',
  'signOut',
]);

describe('a request', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  it('states a bound for each of its strings, arrays and maps', () => {
    expect(operations.flatMap(unboundedOf)).to.deep.equal([]);
  });

  it('states one for those of the arguments of a tool too', () => {
    const store = { save: () => Promise.resolve(), take: () => Promise.resolve(undefined) };
    const codes = new RepairCodes(store, new RandomTokens());
    const tools = [
      ...readingTools(describedOperations),
      ...changingTools(describedOperations, codes, new EventLoopTurns()),
    ];
    expect(
      tools.flatMap(({ listed: { name }, shape }) => unboundedIn(shape.schema as Schema, name)),
    ).to.deep.equal([]);
  });

  it('would be reported without one', () => {
    const schema = {
      type: 'object',
      additionalProperties: { type: 'array', items: { anyOf: [{ type: 'string' }] } },
    };
    expect(unboundedIn(schema, 'body')).to.deep.equal([
      'body has no maxProperties',
      'body (value) has no maxItems',
      'body (value)[] has no maxLength',
    ]);
  });

  it('creates only what the table of bounds names', () => {
    const bounded = new Set(BOUNDS.flatMap((bound) => bound.operations));
    const creating = Object.values(document.paths)
      .flatMap(({ post, put, patch }) => [post, put, patch])
      .flatMap((operation) => operation?.operationId ?? [])
      .filter((id) => !CREATES_NOTHING.has(id));
    expect([...bounded].toSorted()).to.deep.equal([...new Set(creating)].toSorted());
  });

  it('is tried by the bench for each row of that table', () => {
    const measured = new Set(ATTACKS.map(({ name }) => name));
    const rows = BOUNDS.map(({ what, attacks }) => ({
      what,
      isTried: attacks.length > 0 && attacks.every((attack) => measured.has(attack)),
    }));
    expect(rows.filter(({ isTried }) => !isTried)).to.deep.equal([]);
    expect(measured.size).to.equal(ATTACKS.length);
  });
});
