declare module 'bullmq/dist/cjs/scripts/index.js' {
  interface LibraryScript {
    readonly name: string;
    readonly content: string;
    readonly keys: number;
  }
  export const addJobScheduler: LibraryScript;
  export const addStandardJob: LibraryScript;
  export const changeDelay: LibraryScript;
  export const changePriority: LibraryScript;
  export const drain: LibraryScript;
  export const moveJobFromActiveToWait: LibraryScript;
  export const moveStalledJobsToWait: LibraryScript;
  export const moveToActive: LibraryScript;
  export const moveToDelayed: LibraryScript;
  export const moveToFinished: LibraryScript;
  export const pause: LibraryScript;
  export const promote: LibraryScript;
  export const removeJob: LibraryScript;
  export const reprocessJob: LibraryScript;
  export const retryJob: LibraryScript;
  export const updateData: LibraryScript;
}

declare module 'bullmq/dist/cjs/classes/queue-keys.js' {
  export { QueueKeys } from 'bullmq';
}
