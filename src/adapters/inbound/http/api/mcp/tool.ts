import type { Caller } from '../../../../../domain/access/caller.ts';
import type { Right } from '../../../../../domain/access/right.ts';
import type { JsonSchema, Shape } from '../../../../../domain/values/shape.ts';
import { mistaken } from '../../messages/mistakes.ts';
import { shapeMistakes } from '../schemas/shape-mistakes.ts';
import { yupSchema } from '../schemas/yup-schema.ts';
import type { Operations } from './operations.ts';

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

export interface ToolAnswer {
  /** What the service itself says. Nothing that stands in jobs may be part of it. */
  readonly text?: string;
  /** Read from the service: what jobs hold may be part of it. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The surroundings of a tool while it is called. */
export interface ToolUse {
  readonly operations: Operations;
  readonly caller: Caller;
}

/** One tool. The routes that it calls decide what it may do; its right decides only which callers see it. */
export interface Tool {
  readonly right: Right;
  readonly listed: ListedTool;
  /** @throws DomainError `invalid-request` naming the argument, or whatever the routes refuse it with. */
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
  const check = yupSchema(shape);
  return {
    right,
    listed: { name, description, inputSchema: untitled(shape.schema), annotations },
    call: (input, use) => {
      const mistakes = shapeMistakes(check, input, []);
      if (mistakes.length > 0) throw mistaken(mistakes, input);
      return definition.call(input as Input, use);
    },
  };
}

/** The same schema without the names that the OpenAPI document gives to its parts. */
function untitled(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name === 'title' && typeof value === 'string' ? undefined : value,
    ),
  ) as JsonSchema;
}
