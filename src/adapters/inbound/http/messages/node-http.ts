/**
 * Node's http. An import would read the value of every export, and on Node 24 that loads fetch, WebSocket and all that
 * belongs to them.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
