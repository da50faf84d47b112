/**
 * Node's http. An import would ask every export for its value, and on Node 24 that loads fetch, WebSocket
 * and all that belongs to them.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
