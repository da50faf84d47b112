import type { Right } from '../../../../../domain/access/right.ts';
import type { JsonSchema, Shape } from '../../../../../domain/values/shape.ts';
import { mistaken } from '../../messages/mistakes.ts';
import { shapeMistakes } from '../schemas/shape-mistakes.ts';
import type { ListPart } from './fitted-list.ts';
import type { ToolUse } from './tool-use.ts';

/** The effect of a tool on the service, which clients show before they let it be called (MCP, tool annotations). */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether the tool reaches beyond the service. */
  readonly openWorldHint: boolean;
}

/** A tool as clients list it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
}

export type ToolData = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  /** Text by the service itself. It must not contain anything from jobs. */
  readonly text?: string;
  /** Data from the service, which may contain data of jobs. */
  readonly data?: object;
  /** The list in the data that is shortened where the answer would be too long. */
  readonly list?: ListPart;
  /** Whether the service made all of the data, so that a client may show it without the warning. */
  readonly isOwn?: boolean;
}

/** One tool. The operations that it calls enforce what it may do; its right only decides which callers see it. */
export interface Tool {
  readonly right: Right;
  readonly listed: ListedTool;
  /** @throws DomainError `invalid-request` naming the argument, or the error with which an operation refuses the call. */
  call(input: unknown, use: ToolUse): Promise<ToolAnswer>;
}

interface ToolDefinition<Input> extends Omit<ListedTool, 'inputSchema'> {
  readonly right: Right;
  readonly input: Shape<Input>;
  call(input: Input, use: ToolUse): Promise<ToolAnswer>;
}

/** Declares a tool. The type of its input, the check of it and its schema follow from the shape. */
export function tool<Input>(definition: ToolDefinition<Input>): Tool {
  const { name, description, annotations, right, input: shape } = definition;
  return {
    right,
    listed: { name, description, inputSchema: described(shape.schema), annotations },
    call: (input, use) => {
      const mistakes = shapeMistakes(shape, input, []);
      if (mistakes.length > 0) throw mistaken(mistakes, input);
      return definition.call(input as Input, use);
    },
  };
}

/** The schema without what says nothing to a language model: names of its parts, examples, the largest integer. */
function described(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => {
      if (name === 'title' && typeof value === 'string') return undefined;
      if (name === 'examples' && Array.isArray(value)) return undefined;
      return value === Number.MAX_SAFE_INTEGER ? undefined : value;
    }),
  ) as JsonSchema;
}
