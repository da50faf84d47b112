declare module 'bullmq/dist/cjs/scripts/index.js' {
  interface LibraryScript {
    readonly name: string;
    readonly content: string;
    readonly keys: number;
  }
  export const moveJobFromActiveToWait: LibraryScript;
  export const moveStalledJobsToWait: LibraryScript;
  export const moveToActive: LibraryScript;
  export const moveToDelayed: LibraryScript;
  export const moveToFinished: LibraryScript;
  export const retryJob: LibraryScript;
}
