import type { RepairCodes } from '../../../../../application/jobs/repair-codes.ts';
import { anyJson, type Shape } from '../../../../../domain/values/shape.ts';
import type { OperationCatalogue } from '../../../../../application/operation-catalogue.ts';
import type { QueueName } from '../../../../../domain/queues/queue-name.ts';
import type { WholeReply } from '../../../exchange/whole-reply.ts';
import { jsonContent, noContentReply } from '../../messages/operation.ts';
import { json, TEXT_TYPE, textReply } from '../../messages/reply.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import type { UntaggedRoute } from '../route.ts';
import { changingTools } from './changing-tools.ts';
import { messageBody, type ClientMessage, type MessageId } from './message.ts';
import { ToolUse } from './tool-use.ts';
import { checkMcpHeaders, McpProtocol, ProtocolError } from './protocol.ts';
import { readingTools } from './reading-tools.ts';

/**
 * The Model Context Protocol over HTTP without sessions: every message is a separate request with its own answer.
 *
 * @param catalogue the operations that the tools perform.
 * @param version the version of the service.
 */
export function mcpRoute(
  catalogue: OperationCatalogue,
  codes: Pick<RepairCodes, 'issue' | 'use'>,
  queueName: Shape<QueueName>,
  turns: EventLoopTurns,
  version: string,
): UntaggedRoute {
  const tools = [...readingTools(catalogue), ...changingTools(catalogue, codes, turns)];
  const protocol = new McpProtocol(tools, version);
  return {
    method: 'POST',
    path: '/mcp',
    access: 'any-token',
    id: 'sendMcpMessage',
    summary: 'Send a message of the Model Context Protocol: tools for language models',
    description:
      'One JSON-RPC 2.0 message a request, without a session. The tools are those that the rights ' +
      'of the token allow; a repair is previewed first, and its code carries it out once.',
    replies: {
      200: jsonContent(anyJson, 'The answer to a request, as JSON-RPC 2.0 has it'),
      202: noContentReply('A notification is taken'),
      400: {
        description: 'The mistake in the message or in the revision of the protocol',
        contentType: TEXT_TYPE,
        schema: { type: 'string' },
        orJson: {},
      },
    },
    body: messageBody,
    checkHeaders: checkMcpHeaders,
    handle: async (call, operations) => {
      const message = call.body as ClientMessage;
      switch (message.kind) {
        case 'invalid':
          return rpcError(null, message.code, message.reason, 400);
        case 'other':
          return textReply('', 202);
        case 'request':
      }
      const { id, method, params } = message;
      try {
        const use = new ToolUse(operations, queueName, call);
        const result = await protocol.answer(method, params, use);
        return json({ jsonrpc: '2.0', id, result });
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        return rpcError(id, error.code, error.message, 200);
      }
    },
  };
}

function rpcError(id: MessageId | null, code: number, message: string, status: number): WholeReply {
  return json({ jsonrpc: '2.0', id, error: { code, message } }, status);
}
