import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiResponse,
  Reference,
} from '../../messages/openapi.ts';
import { exampleValue } from './example-value.ts';
import { html, NOTHING, prose, type Html } from './html.ts';
import { schemaText } from './schema-text.ts';

/** An operation and its place in the document. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

export function operationSection(placed: PlacedOperation, document: OpenApiDocument): Html {
  const { path, method, operation } = placed;
  return html`<details>
    <summary>
      <h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></h3>
      <span class="soft">${operation.summary}</span>
    </summary>
    <div id="${operation.operationId}">
      <p>${prose(operation.description)}</p>
      <p class="soft">Token: ${tokenName(operation)} · operation ${operation.operationId}</p>
      ${parameters(operation)}${body(operation)}
      <h4>Answers</h4>
      <table>
        ${answers(operation, document)}
      </table>
      <h4>Example</h4>
      <pre tabindex="0"><code>${curl(placed, document)}</code></pre>
      ${exampleAnswer(operation, document)}
    </div>
  </details> `;
}

function tokenName({ security }: OpenApiOperation): string {
  const [scheme] = security.flatMap((each) => Object.keys(each));
  const [right] = security.flatMap((each) => each['apiToken'] ?? []);
  if (right !== undefined) return `API, with the right ${right}`;
  return { apiToken: 'API', jobToken: 'of the job' }[scheme ?? ''] ?? 'none';
}

function parameters({ parameters = [] }: OpenApiOperation): Html {
  if (parameters.length === 0) return NOTHING;
  const rows = parameters.map(
    ({ name, in: place, schema, description }) =>
      html`<tr>
        <td><code>${name}</code> <span class="soft">${place}</span></td>
        <td>
          <p>${prose(description)}</p>
          <span class="soft">${schemaText(schema)}</span>
        </td>
      </tr>`,
  );
  return html`<h4>Parameters</h4>
    <table>
      ${rows}
    </table>`;
}

function body({ requestBody }: OpenApiOperation): Html {
  return requestBody
    ? html`<h4>Body</h4>
        <p>${contentText(requestBody.content)}</p>`
    : NOTHING;
}

function contentText(content: OpenApiContent): Html {
  const forms = Object.entries(content).map(
    ([type, { schema }], index) =>
      html`${index === 0 ? '' : ', or '}<code>${type}</code>: ${schemaText(schema)}`,
  );
  return html`${forms}`;
}

function answers({ responses }: OpenApiOperation, document: OpenApiDocument): readonly Html[] {
  return Object.entries(responses).map(([status, response]) => {
    const { description, content } = resolved(response, document);
    return html`<tr>
      <td><code>${status}</code></td>
      <td>
        <p>${prose(description)}</p>
        <span class="soft">${contentText(content)}</span>
      </td>
    </tr>`;
  });
}

function resolved(
  response: OpenApiResponse | Reference,
  { components }: OpenApiDocument,
): OpenApiResponse {
  if (!('$ref' in response)) return response;
  const found = components.responses[response.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`There is no ${response.$ref}`);
  return found;
}

/** A command that works in a shell with JOBGATE and TOKEN set. */
function curl({ path, method, operation }: PlacedOperation, document: OpenApiDocument): string {
  const examples: Readonly<Record<string, string>> = { queue: 'mail', jobId: '1' };
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? name);
  const parts = [`curl "$JOBGATE${target}"`];
  if (operation.security.length > 0) parts.push('-H "Authorization: Bearer $TOKEN"');
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema !== undefined) {
    const value = exampleValue(schema, document.components.schemas);
    parts.push(`-d '${JSON.stringify(value)}'`);
  } else if (method !== 'get') {
    parts.splice(1, 0, `-X ${method.toUpperCase()}`);
  }
  return parts.join(' \\\n  ');
}

/** A successful answer as JSON, where there is one with fields. */
function exampleAnswer({ responses }: OpenApiOperation, document: OpenApiDocument): Html {
  const [status, response] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? [];
  if (response === undefined) return NOTHING;
  const schema = resolved(response, document).content['application/json']?.schema;
  if (schema === undefined || 'const' in schema) return NOTHING;
  const value = exampleValue(schema, document.components.schemas);
  return html`<h4>Answer ${status ?? ''}</h4>
    <pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}
