import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { describedOperations } from '../../../scripts/docs/described-operations.ts';
import type { Documentation } from '../../../src/application/operations/operation.ts';
import type { Shape } from '../../../src/domain/values/shape.ts';
import { isObject } from '../../../src/domain/values/json.ts';

const DOMAIN = fileURLToPath(new URL('../../../src/domain/', import.meta.url));

/** Texts with a NUL that the rules of the domain accept otherwise. */
const TEXTS = [
  'a\0',
  '\0',
  'http://a.example/\0',
  'https://a\0.example',
  'a.example\0',
  '10.0.0.0/8\0',
  'Europe/Berlin\0',
  '\0 0 * * *',
];

/** The places in which a text may have one. */
const FREE = {
  'data of jobs': [
    'anyJson',
    'jobChangeShape.data',
    'jobData',
    'jobInputShape.data',
    'jobRetryShape.data',
    'publishedShape.data',
    'publishedShape[].data',
    'schedulerInputShape.job.data',
    'stepValueShape',
    'workerTestShape.data',
  ],
  'what data and jobs of earlier versions are compared with': [
    ...['ids', 'cause', 'name', 'group', 'reason'].flatMap((field) => [
      `bulkRepairShape.filter.${field}`,
      `jobFilterShape.${field}`,
    ]),
    'erasureShape.filter.data (name)',
    'erasureShape.filter.data (value)',
    'erasureShape.filter.group',
    'erasureShape.filter.ids',
  ],
  'costs, which are ignored unless they are numbers': [
    'failureReportShape.cost',
    'reportedCostShape',
  ],
  'records of earlier versions': ['string'],
  'parts of answers': [
    'blockedGroupShape.job',
    'blockedShape.detail',
    'blockedShape.id',
    'blockedShape.queue',
    'blockedShape.stop.by',
    'blockedShape.stop.reason',
    'callFiguresShape.lastFailure.reason',
    'disabledShape.reason',
    'foreignSnapshotShape.application',
    'listedHealthShape.by',
    'listedHealthShape.method',
    'listedHealthShape.queue',
    'listedHealthShape.reason',
    'listedHealthShape.url',
    'runByHandShape.jobId',
    'suspendedShape.children[].id',
    'suspendedShape.children[].queue',
    'suspendedShape.signals',
    'suspendedShape.steps',
  ],
  'the configuration of the service': [
    'issuerRuleShape.claims (name)',
    'issuerRuleShape.claims (value)',
    'signInFileShape.rules[].claims (name)',
    'signInFileShape.rules[].claims (value)',
    'tokenIssuerShape.rules[].claims (name)',
    'tokenIssuerShape.rules[].claims (value)',
  ],
};

function isShape(value: unknown): value is Shape<unknown> {
  return isObject(value) && typeof value['accepts'] === 'function' && 'must' in value;
}

/** The places within a shape that accept a text with a NUL. */
function placesWithNul(shape: Shape<unknown>, path: string): readonly string[] {
  const { parts } = shape;
  switch (parts?.kind) {
    case 'object':
      return Object.entries(parts.fields).flatMap(([name, field]) =>
        placesWithNul(field.shape, `${path}.${name}`),
      );
    case 'map':
      return [
        ...placesWithNul(parts.name, `${path} (name)`),
        ...placesWithNul(parts.value, `${path} (value)`),
      ];
    case 'list':
      return placesWithNul(parts.item, `${path}[]`);
    case 'either':
      if (parts.by === undefined || !('nul' in parts.by)) {
        return [...new Set(parts.shapes.flatMap((each) => placesWithNul(each, path)))];
      }
  }
  return TEXTS.some((text) => shape.accepts(text) || shape.accepts([text])) ? [path] : [];
}

/** A shape and all that it consists of. */
function within(shape: Shape<unknown>): readonly Shape<unknown>[] {
  const { parts } = shape;
  switch (parts?.kind) {
    case 'object':
      return [shape, ...Object.values(parts.fields).flatMap((field) => within(field.shape))];
    case 'map':
      return [shape, ...within(parts.name), ...within(parts.value)];
    case 'list':
      return [shape, ...within(parts.item)];
    case 'either':
      return [shape, ...parts.shapes.flatMap(within)];
    default:
      return [shape];
  }
}

/** Shapes that the service answers with, and that no client gives. */
function answered(): ReadonlySet<Shape<unknown>> {
  const operations = Object.values(describedOperations).flatMap(
    (area) => Object.values(area) as readonly Partial<Documentation>[],
  );
  const given = operations.flatMap((operation) =>
    Object.values(operation.in ?? {}).flatMap((part) =>
      part.kind === 'order' ? [part.shape] : [],
    ),
  );
  const answers = operations.flatMap(({ out }) => {
    if (out?.kind === 'value') return [out.shape];
    return out?.kind === 'done' && out.report !== undefined ? [out.report] : [];
  });
  const input = new Set(given.flatMap(within));
  return new Set(answers.flatMap(within).filter((shape) => !input.has(shape)));
}

async function shapesOfDomain(): Promise<ReadonlyMap<string, Shape<unknown>>> {
  const files = readdirSync(DOMAIN, { recursive: true, encoding: 'utf8' });
  const shapes = new Map<string, Shape<unknown>>();
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const module = (await import(join(DOMAIN, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) if (isShape(value)) shapes.set(name, value);
  }
  return shapes;
}

describe('the texts of the domain', () => {
  // holds: text.no-nul
  it('have no NUL, wherever a client can have them stored, except in data', async () => {
    const answers = answered();
    const found = [...(await shapesOfDomain())].flatMap(([name, shape]) =>
      answers.has(shape) ? [] : placesWithNul(shape, name),
    );
    expect(found).to.have.members(Object.values(FREE).flat());
  });
});
