import type { Declaration } from '../command.ts';
import { bridgeMcp } from '../mcp-bridge.ts';

export const mcpCommand: Declaration = {
  usage: 'mcp',
  summary: 'serve MCP tools for language models over standard input and output',
  run: ({ service }) =>
    bridgeMcp(service, process.stdin, (line) => {
      process.stdout.write(`${line}\n`);
    }),
};
