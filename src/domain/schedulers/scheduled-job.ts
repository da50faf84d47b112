/** Whether a scheduler made the job with this id. Ids that clients choose have no colon. */
export function isScheduled(jobId: string): boolean {
  return jobId.startsWith('repeat:');
}

/** The scheduler that made a job, by the id of the job. */
export function schedulerOf(jobId: string): string {
  return jobId.slice(jobId.indexOf(':') + 1, jobId.lastIndexOf(':'));
}
