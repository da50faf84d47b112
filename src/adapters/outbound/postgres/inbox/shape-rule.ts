import type { JsonSchema, Parts, Shape } from '../../../../domain/values/shape.ts';

/** A shape as the function `mistakes` of the schema reads it. */
export type ShapeRule =
  | {
      readonly must: string;
      readonly fields: readonly FieldRule[];
      readonly names: readonly string[];
    }
  | { readonly choice: readonly [ShapeRule, ShapeRule]; readonly of: string }
  | { readonly choice: readonly [ShapeRule, ShapeRule]; readonly most: number }
  /** Accepts nothing. */
  | { readonly must: string; readonly never: true }
  | ({ readonly must: string } & JsonSchema);

export interface FieldRule {
  readonly name: string;
  readonly required: boolean;
  readonly rule: ShapeRule;
}

/** The keywords that the function `fits` checks. */
const CHECKED = ['type', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'enum', 'not'];

/** Keywords without a check: title, description. */
const DESCRIBING = ['title', 'description', 'examples'];

/** @throws TypeError when the shape has a rule that the functions of the schema do not know. */
export function ruleOf(shape: Shape<unknown>): ShapeRule {
  const { must, parts, schema } = shape;
  switch (parts?.kind) {
    case undefined:
      return { must, ...checkedKeywords(schema, must) };
    case 'object':
      return {
        must,
        names: Object.keys(parts.fields),
        fields: Object.entries(parts.fields).map(([name, field]) => {
          return { name, required: field.isRequired, rule: ruleOf(field.shape) };
        }),
      };
    case 'map':
    case 'list':
      throw new TypeError(`"${must}" is a ${parts.kind}, which no rule describes`);
    case 'either':
      return choiceOf(parts, must);
  }
}

function choiceOf(
  { shapes: [one, other], by }: Extract<Parts, { readonly kind: 'either' }>,
  must: string,
): ShapeRule {
  if (one === undefined || other === undefined || by === undefined) {
    throw new TypeError(`"${must}" is a choice that no rule describes`);
  }
  // A text of PostgreSQL has no NUL.
  if ('nul' in by) return ruleOf(other);
  return 'most' in by
    ? { choice: [{ must: one.must, never: true }, ruleOf(other)], most: by.most }
    : { choice: [ruleOf(one), ruleOf(other)], of: by.type };
}

function checkedKeywords(schema: JsonSchema, must: string): JsonSchema {
  const keywords = Object.entries(schema).filter(([name]) => !DESCRIBING.includes(name));
  const unknown = keywords.find(([name]) => !CHECKED.includes(name));
  if (unknown !== undefined) throw new TypeError(`"${must}" has the keyword ${unknown[0]}`);
  return Object.fromEntries(keywords);
}
