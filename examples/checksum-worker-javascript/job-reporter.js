/** Reports to jobgate how a job proceeds, by the job's own token alone. */
export class JobReporter {
  #jobUrl;
  #token;
  #signal;

  constructor(jobgateUrl, { job, token }, signal) {
    // <prefix>:<queue>; a queue name has no colon, a prefix may.
    const queue = job.queueQualifiedName.slice(job.queueQualifiedName.lastIndexOf(':') + 1);
    const path = `queues/${encodeURIComponent(queue)}/jobs/${encodeURIComponent(job.id)}`;
    this.#jobUrl = `${jobgateUrl.replace(/\/+$/, '')}/${path}`;
    this.#token = token;
    this.#signal = signal;
  }

  async progress(value) {
    await this.#post('progress', value);
  }

  async log(line) {
    await this.#post('logs', line);
  }

  async #post(what, body) {
    const answer = await fetch(`${this.#jobUrl}/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(10_000)]),
    });
    const text = await answer.text();
    // A 401 means that jobgate gave this attempt up: someone else may be at the job by now.
    if (!answer.ok) throw new Error(`jobgate refused the ${what}: ${answer.status} ${text}`);
  }
}
