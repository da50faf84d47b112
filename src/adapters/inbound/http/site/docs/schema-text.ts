import type { JsonSchema } from '../../../../../domain/values/shape.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

/** A schema in a few words, such as `integer, 0 to 1000, default 10`. */
export function schemaText(schema: JsonSchema): Html {
  const limits = [...bounds(schema), ...defaultOf(schema)].map((each) => html`, ${each}`);
  return html`${kind(schema)}${limits}`;
}

function kind(schema: JsonSchema): Html {
  const { $ref, enum: values, anyOf, items, type, additionalProperties } = schema;
  if (typeof $ref === 'string') return schemaLink($ref.split('/').at(-1) ?? '');
  if ('const' in schema) return html`<code>${JSON.stringify(schema['const'])}</code>`;
  if (Array.isArray(values))
    return list(values.map((value) => html`<code>${String(value)}</code>`));
  if (Array.isArray(anyOf)) return list((anyOf as JsonSchema[]).map((each) => schemaText(each)));
  if (type === 'array') return html`array of ${schemaText(items as JsonSchema)}`;
  if (typeof additionalProperties === 'object') {
    return html`object of any names to ${schemaText(additionalProperties as JsonSchema)}`;
  }
  return html`${typeof type === 'string' ? type : 'any JSON value'}`;
}

export function schemaLink(name: string): Html {
  return html`<a href="#schema-${name}">${name}</a>`;
}

function list(choices: readonly Html[]): Html {
  return html`${choices.map((choice, index) => (index === 0 ? choice : html` or ${choice}`))}`;
}

function bounds(schema: JsonSchema): readonly string[] {
  const { minimum, maximum, minLength, maxLength } = schema;
  const texts: string[] = [];
  if (typeof minimum === 'number') texts.push(range(minimum, maximum as number));
  if (typeof minLength === 'number') {
    texts.push(`${range(minLength, maxLength as number)} characters`);
  }
  return texts;
}

function range(least: number, most: number): string {
  return most === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `${least} to ${most}`;
}

function defaultOf(schema: JsonSchema): readonly string[] {
  return 'default' in schema ? [`default ${String(schema['default'])}`] : [];
}
