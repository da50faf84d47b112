import type { JsonSchema } from '../../../../../domain/values/shape.ts';
import { html, type Html } from './html.ts';
import { schemaText } from './schema-text.ts';

/** A named schema with its fields. */
export function schemaSection(name: string, schema: JsonSchema): Html {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const required = (schema['required'] ?? []) as readonly string[];
  const rows = properties.map(
    ([field, property]) =>
      html`<tr>
        <td>
          <code>${field}</code>
          <span class="soft">${required.includes(field) ? '' : 'optional'}</span>
        </td>
        <td>
          <p>${descriptionOf(property)}</p>
          <span class="soft">${schemaText(property)}</span>
        </td>
      </tr>`,
  );
  return html`<section id="schema-${name}">
    <h3>${name}</h3>
    <table>
      ${rows}
    </table>
  </section> `;
}

function descriptionOf({ description }: JsonSchema): string {
  return typeof description === 'string' ? description : '';
}
