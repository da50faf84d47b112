import { array, lazy, mixed, object, ValidationError, type Schema, type TestContext } from 'yup';
import { isObject } from '../../../../../domain/values/json.ts';
import type { Fields, Parts, Shape } from '../../../../../domain/values/shape.ts';
import { MAX_MISTAKES } from '../../messages/mistakes.ts';

export type YupSchema = Schema | ReturnType<typeof lazy>;

/** The yup schema that finds every mistake in a value, described as its shape does. Nothing is converted. */
export function yupSchema(shape: Shape<unknown>): YupSchema {
  return schemaOf(shape, true);
}

function schemaOf(shape: Shape<unknown>, isRequired: boolean): YupSchema {
  const { parts } = shape;
  switch (parts?.kind) {
    case undefined:
      return pieceSchema(shape, isRequired);
    case 'object':
      return objectSchema(shape, parts.fields, isRequired);
    case 'map':
      return mapSchema(shape, parts, isRequired);
    case 'list':
      return listSchema(shape, parts.item, isRequired);
    case 'either':
      return lazy((value) => schemaOf(parts.choose(value), isRequired));
  }
}

function pieceSchema({ must, accepts }: Shape<unknown>, isRequired: boolean): Schema {
  return mixed()
    .nullable()
    .test({
      name: 'shape',
      message: `must ${must}`,
      test: (value) => (value === undefined && !isRequired) || accepts(value),
    });
}

function objectSchema({ must }: Shape<unknown>, fields: Fields, isRequired: boolean): Schema {
  const schemas = Object.entries(fields).map(([name, field]) => [
    name,
    schemaOf(field.shape, field.isRequired),
  ]);
  const schema = object(Object.fromEntries(schemas) as Record<string, YupSchema>)
    .typeError(`must ${must}`)
    .nonNullable(`must ${must}`)
    .test('known-fields', function (this: TestContext, value: object | undefined) {
      const unknown = Object.keys(value ?? {}).filter((name) => !Object.hasOwn(fields, name));
      return membersAreRight(this, unknown, () => 'is not a known field');
    });
  return isRequired ? schema.defined(`must ${must}`) : schema;
}

function listSchema(
  { must, schema }: Shape<unknown>,
  item: Shape<unknown>,
  isRequired: boolean,
): Schema {
  const list = array(schemaOf(item, true) as Schema)
    .typeError(`must ${must}`)
    .nonNullable(`must ${must}`)
    .min(Number(schema['minItems'] ?? 0), `must ${must}`);
  return isRequired ? list.defined(`must ${must}`) : list;
}

type MapParts = Extract<Parts, { readonly kind: 'map' }>;

function mapSchema(
  { must }: Shape<unknown>,
  { name, value }: MapParts,
  isRequired: boolean,
): Schema {
  return mixed()
    .nullable()
    .test('map', function (this: TestContext, map: unknown) {
      if (map === undefined && !isRequired) return true;
      if (!isObject(map)) return this.createError({ message: `must ${must}` });
      return membersAreRight(this, Object.keys(map), (member) => {
        return mistakeIn(name, member) ?? mistakeIn(value, map[member]);
      });
    });
}

/** What a value of one piece must be but is not; undefined without a mistake. */
function mistakeIn(shape: Shape<unknown>, value: unknown): string | undefined {
  if (shape.accepts(value)) return undefined;
  const { parts } = shape;
  return `must ${parts?.kind === 'either' ? parts.choose(value).must : shape.must}`;
}

/** Names that the client chose are not part of a yup path: each is reported beside it. */
function membersAreRight(
  context: TestContext,
  members: readonly string[],
  mistake: (member: string) => string | undefined,
): true | ValidationError {
  const errors: ValidationError[] = [];
  for (const member of members) {
    if (errors.length === MAX_MISTAKES) break;
    const message = mistake(member);
    if (message !== undefined) errors.push(context.createError({ message, params: { member } }));
  }
  return errors.length === 0 || new ValidationError(errors);
}
