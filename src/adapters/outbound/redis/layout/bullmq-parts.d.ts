declare module 'bullmq/dist/cjs/classes/queue-keys.js' {
  export { QueueKeys } from 'bullmq';
}
