import type { OpenApiCall } from './openapi-call.ts';

/** What the service reports about itself. */
export const serviceCalls: readonly OpenApiCall[] = [
  { operationId: 'readReadiness', path: '/health/ready', status: 200 },
  { operationId: 'readLiveness', path: '/health/live', status: 200, token: '' },
  { operationId: 'readOpenApi', path: '/openapi.json', status: 200, token: '' },
  { operationId: 'readDocs', path: '/docs', status: 200, token: '' },
  { operationId: 'readOwnAccess', path: '/whoami', status: 200 },
  { operationId: 'readOwnAccess', path: '/whoami', status: 401, token: 'wrong' },
  { operationId: 'readSystem', path: '/system', status: 200 },
  {
    operationId: 'sendMcpMessage',
    path: '/mcp',
    status: 200,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  },
  {
    operationId: 'sendMcpMessage',
    path: '/mcp',
    status: 202,
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  },
  { operationId: 'sendMcpMessage', path: '/mcp', status: 400, body: { method: 'ping' } },
  { operationId: 'readMetrics', path: '/metrics', status: 200 },
  { operationId: 'readMetrics', path: '/metrics', status: 401, token: 'wrong' },
];
