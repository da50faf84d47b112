import type { Command } from '../command.ts';
import { bridgeMcp } from '../mcp-bridge.ts';

export const mcpCommand: Command = {
  name: 'mcp',
  takes: '',
  count: [0, 0],
  summary: 'serve MCP tools for language models over standard input and output',
  run: ({ service }) =>
    bridgeMcp(service, process.stdin, (line) => {
      process.stdout.write(`${line}\n`);
    }),
};
