import type { JsonSchema } from '../../../../../domain/values/shape.ts';
import { html, prose, type Html } from './html.ts';
import { schemaText } from './schema-text.ts';

const INPUT = 'Input';

/**
 * All schemas by name. The schema of a request and that of an answer share a section if they have the same fields, as
 * most do: they differ only in what else is allowed.
 */
export function schemaSections(schemas: Readonly<Record<string, JsonSchema>>): readonly Html[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const input = schemas[name + INPUT];
    if (name.endsWith(INPUT)) {
      const answer = schemas[name.slice(0, -INPUT.length)];
      return answer !== undefined && haveSameFields(answer, schema)
        ? []
        : [section([name], schema)];
    }
    return input !== undefined && haveSameFields(schema, input)
      ? [section([name, name + INPUT], input)]
      : [section([name], schema)];
  });
}

function haveSameFields(one: JsonSchema, other: JsonSchema): boolean {
  const fields = (schema: JsonSchema): string =>
    JSON.stringify([Object.keys(propertiesOf(schema)), schema['required'] ?? []]);
  return fields(one) === fields(other);
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

/** A schema with its fields. Each of its names is a link target. */
function section(names: readonly string[], schema: JsonSchema): Html {
  const required = (schema['required'] ?? []) as readonly string[];
  const rows = Object.entries(propertiesOf(schema)).map(
    ([field, property]) =>
      html`<tr>
        <td>
          <code>${field}</code>
          <span class="soft">${required.includes(field) ? '' : 'optional'}</span>
        </td>
        <td>
          <p>${prose(descriptionOf(property))}</p>
          <span class="soft">${schemaText(property)}</span>
        </td>
      </tr>`,
  );
  return html`<details>
    <summary><h3>${names[0] ?? ''}</h3></summary>
    ${names.map((name) => html`<div id="schema-${name}"></div>`)}
    <table>
      ${rows}
    </table>
  </details> `;
}

function descriptionOf({ description }: JsonSchema): string {
  return typeof description === 'string' ? description : '';
}
