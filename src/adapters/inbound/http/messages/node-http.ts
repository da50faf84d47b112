/**
 * Node's http module. An import would read the value of every export, which on Node 24 loads fetch, WebSocket and
 * everything that belongs to them.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
