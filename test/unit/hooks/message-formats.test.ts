import { expect } from 'chai';
import type { HookMessage } from '../../../src/domain/hooks/hook-message.ts';
import { MessageFormats } from '../../../src/adapters/outbound/hooks/message-formats.ts';
import type { HookFormat } from '../../../src/domain/hooks/hook.ts';
import type { JobSummary } from '../../../src/domain/jobs/job-summary.ts';
import { queueNamed } from '../../support/queue-named.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const SINCE = AT - 90_000;
const PUBLIC_URL = 'https://jobs.example.com';

const LATE: HookMessage = {
  kind: 'condition',
  type: 'queue.late',
  isOver: false,
  at: AT,
  queues: [
    { queue: queueNamed('mail'), value: 420_000, since: SINCE },
    { queue: queueNamed('a & <b>'), value: 360_000, since: SINCE + 1 },
  ],
  more: 3,
  threshold: 300_000,
};

const OVER: HookMessage = {
  ...LATE,
  isOver: true,
  more: 0,
  queues: [{ queue: queueNamed('mail'), value: null, since: SINCE }],
};

const JOB: JobSummary = {
  id: '17',
  name: 'welcome',
  state: 'failed',
  timestamp: SINCE,
  processedOn: SINCE,
  finishedOn: AT,
  dueAt: null,
  priority: 0,
  attemptsMade: 3,
  attempts: 3,
  progress: 0,
  failedReason: 'HTTP 500',
  lastStatus: 500,
  group: null,
  parent: null,
  dataSize: 2,
};

const FAILED: HookMessage = {
  kind: 'job',
  type: 'job.failed',
  at: AT,
  queue: queueNamed('mail'),
  job: JOB,
  value: 'no <!channel> & no\nline',
  attempts: 3,
};

const COMPLETED: HookMessage = { ...FAILED, type: 'job.completed', value: '{"sent":true}' };

const MISSED: HookMessage = {
  kind: 'missed',
  type: 'scheduler.missed',
  at: AT,
  queue: queueNamed('reports'),
  scheduler: 'nightly',
  slot: SINCE,
};

const FAILING: HookMessage = {
  kind: 'failing',
  type: 'hook.failing',
  at: AT,
  failing: 'on-call',
  delivery: 'delivery-1',
  reason: 'HTTP 500',
};

const TEST: HookMessage = { kind: 'test', type: 'hook.test', at: AT };

const ALL = [LATE, OVER, FAILED, COMPLETED, MISSED, FAILING, TEST];

interface Terms {
  readonly format?: HookFormat;
  readonly publicUrl?: string;
}

function written(message: HookMessage, terms: Terms = {}): unknown {
  return JSON.parse(formatted(message, terms).body);
}

function formatted(message: HookMessage, { format = 'standard', publicUrl }: Terms) {
  return new MessageFormats(publicUrl).written(message, { id: 'ops', format }, 'delivery-7');
}

describe('The standard format of messages', () => {
  it('names the event, the time and the queues of a condition', () => {
    expect(written(LATE)).to.deep.equal({
      type: 'queue.late',
      timestamp: '2026-01-02T03:04:05.678Z',
      data: { hook: 'ops', queues: LATE.queues, more: 3, threshold: 300_000 },
    });
    expect(written(OVER)).to.deep.include({ type: 'queue.late.resolved' });
  });

  it('links to the dashboard when the public URL is set', () => {
    expect(written(LATE, { publicUrl: PUBLIC_URL }))
      .to.have.nested.property('data.links.dashboard')
      .that.equals(`${PUBLIC_URL}/dashboard`);
    expect(written(OVER, { publicUrl: PUBLIC_URL }))
      .to.have.nested.property('data.links.dashboard')
      .that.equals(`${PUBLIC_URL}/dashboard/queues/mail`);
  });

  it('contains the job and the reason, or the return value as JSON', () => {
    const data = { hook: 'ops', queue: 'mail', job: JOB, attempts: 3 };
    expect(written(FAILED)).to.deep.include({
      type: 'job.failed',
      data: { ...data, failedReason: FAILED.value },
    });
    expect(written(COMPLETED)).to.deep.include({
      data: { ...data, returnvalue: { sent: true } },
    });
    expect(written({ ...COMPLETED, value: 'not JSON' })).to.have.nested.property(
      'data.returnvalue',
      'not JSON',
    );
  });

  it('contains the size of a large return value in its place', () => {
    const large = { ...COMPLETED, value: null, valueSize: 10_001 };
    expect(written(large)).to.have.property('data').that.includes({ returnvalueSize: 10_001 });
    expect(written(large)).not.to.have.nested.property('data.returnvalue');
  });

  it('says which scheduler missed which time, and which delivery of which hook failed', () => {
    expect(written(MISSED)).to.deep.include({
      data: { hook: 'ops', queue: 'reports', scheduler: 'nightly', slot: SINCE },
    });
    expect(written(FAILING)).to.deep.include({
      data: { hook: 'ops', failing: 'on-call', delivery: 'delivery-1', reason: 'HTTP 500' },
    });
    expect(written(TEST)).to.deep.include({ type: 'hook.test', data: { hook: 'ops' } });
  });
});

// The schema of CloudEvents 1.0 requires these attributes, and none of the given ones may be empty.
describe('The CloudEvents format of messages', () => {
  const cloudEvent = (message: HookMessage, terms: Terms = {}) =>
    written(message, { format: 'cloudevents', ...terms }) as Record<string, unknown>;

  it('is an event in structured mode', () => {
    const { contentType } = formatted(LATE, { format: 'cloudevents' });
    expect(contentType).to.equal('application/cloudevents+json');
    expect(cloudEvent(LATE)).to.deep.equal({
      specversion: '1.0',
      id: 'delivery-7',
      source: 'jobgate',
      type: 'queue.late',
      subject: 'mail',
      time: '2026-01-02T03:04:05.678Z',
      datacontenttype: 'application/json',
      data: (written(LATE) as { data: object }).data,
    });
    expect(cloudEvent(LATE, { publicUrl: PUBLIC_URL })).to.include({ source: PUBLIC_URL });
  });

  // holds: hooks.formats
  it('has every required attribute, in lower case, as a text that is not empty', () => {
    for (const message of ALL) {
      const { data, ...attributes } = cloudEvent(message);
      expect(data).to.be.an('object');
      expect(attributes).to.include.keys('specversion', 'id', 'source', 'type');
      for (const [name, value] of Object.entries(attributes)) {
        expect(name).to.match(/^[a-z0-9]+$/);
        expect(value).to.be.a('string').that.is.not.empty;
      }
      expect(attributes['time']).to.match(RFC_3339);
    }
  });

  it('has no subject when the message is about no queue', () => {
    expect(cloudEvent(TEST)).not.to.have.property('subject');
    expect(cloudEvent(FAILING)).not.to.have.property('subject');
    expect(cloudEvent(FAILED)).to.have.property('subject', 'mail');
  });
});

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('The Slack format of messages', () => {
  const text = (message: HookMessage, terms: Terms = {}) =>
    (written(message, { format: 'slack', ...terms }) as { text: string }).text;

  it('has one line for each queue, and one for the rest', () => {
    expect(text(LATE).split('\n')).to.deep.equal([
      'queue.late: mail: the oldest job has waited for 7 min; the threshold is 5 min',
      'queue.late: a &amp; &lt;b&gt;: the oldest job has waited for 6 min; the threshold is 5 min',
      'queue.late: and 3 more queues',
    ]);
    expect(text(OVER)).to.equal('queue.late.resolved: mail: over after 1 min 30 s');
  });

  // holds: hooks.formats
  it('keeps a reason on one line, without the marks that Slack acts on', () => {
    expect(text(FAILED)).to.equal(
      'job.failed: mail: job 17 (welcome) failed: no &lt;!channel&gt; &amp; no line',
    );
    expect(text({ ...FAILED, value: 'a\u2028b' })).to.contain('failed: a b');
  });

  it('links to the queue when the public URL is set', () => {
    const [, second] = text(LATE, { publicUrl: PUBLIC_URL }).split('\n');
    expect(second).to.contain(
      `<${PUBLIC_URL}/dashboard/queues/a%20%26%20%3Cb%3E|a &amp; &lt;b&gt;>: the`,
    );
  });

  it('says what exceeded which threshold', () => {
    const one = (type: (typeof LATE)['type'], value: number | null, threshold: number | null) =>
      text({
        ...LATE,
        type,
        threshold,
        more: 1,
        queues: [{ queue: queueNamed('mail'), value, since: SINCE }],
      }).split('\n');
    expect(one('queue.full', 1, 0)).to.deep.equal([
      'queue.full: mail: 1 job waits; the threshold is 0',
      'queue.full: and 1 more queue',
    ]);
    expect(one('queue.full', 12, 10)[0]).to.contain('12 jobs wait; the threshold is 10');
    expect(one('queue.failing', 0.29, 0.2)[0]).to.contain(
      '29 % of its jobs failed; the threshold is 20 %',
    );
    expect(one('queue.failing', 0.9999, 0.2)[0]).to.contain('99 %');
    expect(one('queue.unserved', 130_000, 60_000)[0]).to.contain('no worker for 2 min');
    expect(one('worker.open', null, null)[0]).to.contain('the breaker is open');
    expect(one('worker.disabled', null, null)[0]).to.contain('the worker is disabled');
  });

  it('puts every other message on one line', () => {
    expect(text(MISSED)).to.equal(
      'scheduler.missed: reports: the scheduler nightly made no job for 2026-01-02T03:02:35.678Z',
    );
    expect(text(FAILING)).to.equal('hook.failing: a delivery of the hook on-call failed: HTTP 500');
    expect(text(TEST)).to.equal('hook.test: this is a test');
    expect(text(COMPLETED)).to.equal('job.completed: mail: job 17 (welcome) completed');
  });
});

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt?: string;
  readonly generatorURL?: string;
}

// The OpenAPI document of Alertmanager: an array of alerts with labels and annotations, which map names to strings.
describe('The Alertmanager format of messages', () => {
  const alerts = (message: HookMessage, terms: Terms = {}) =>
    written(message, { format: 'alertmanager', ...terms }) as readonly Alert[];

  it('is an array with one alert for each queue', () => {
    expect(alerts(LATE).map(({ labels }) => labels)).to.deep.equal([
      { alertname: 'queue.late', queue: 'mail' },
      { alertname: 'queue.late', queue: 'a & <b>' },
    ]);
    expect(alerts(LATE)[0]).to.deep.include({
      startsAt: '2026-01-02T03:02:35.678Z',
      annotations: {
        summary: 'mail: the oldest job has waited for 7 min; the threshold is 5 min',
        hook: 'ops',
      },
    });
  });

  it('links each alert to the page of its own queue', () => {
    expect(
      alerts(LATE, { publicUrl: PUBLIC_URL }).map((alert) => alert.generatorURL),
    ).to.deep.equal([
      `${PUBLIC_URL}/dashboard/queues/mail`,
      `${PUBLIC_URL}/dashboard/queues/a%20%26%20%3Cb%3E`,
    ]);
  });

  it('has the labels of the alert that began when it is over', () => {
    const [begun, over] = [alerts(LATE)[0], alerts(OVER)[0]];
    expect(over?.labels).to.deep.equal(begun?.labels);
    expect(over?.startsAt).to.equal(begun?.startsAt);
    expect(begun).not.to.have.property('endsAt');
    expect(over?.endsAt).to.equal('2026-01-02T03:04:05.678Z');
  });

  // holds: hooks.formats
  it('has texts as labels and annotations, and times as in RFC 3339', () => {
    for (const message of ALL) {
      const [first] = alerts(message, { publicUrl: PUBLIC_URL });
      for (const each of [first?.labels, first?.annotations]) {
        expect(each).to.be.an('object');
        for (const [name, value] of Object.entries(each!)) {
          expect(name).to.match(/^[a-zA-Z_][a-zA-Z0-9_]*$/);
          expect(value).to.be.a('string').that.is.not.empty;
        }
      }
      expect(first?.startsAt).to.match(RFC_3339);
      if (first?.endsAt !== undefined) expect(first.endsAt).to.match(RFC_3339);
      expect(() => new URL(first!.generatorURL!)).not.to.throw();
    }
  });

  it('tells apart what is not about one queue alone', () => {
    const labels = (message: HookMessage) => alerts(message)[0]?.labels;
    expect(labels(FAILED)).to.deep.equal({ alertname: 'job.failed', queue: 'mail', job: '17' });
    expect(labels(MISSED)).to.deep.equal({
      alertname: 'scheduler.missed',
      queue: 'reports',
      scheduler: 'nightly',
    });
    expect(labels(FAILING)).to.deep.equal({ alertname: 'hook.failing', hook: 'on-call' });
    expect(labels(TEST)).to.deep.equal({ alertname: 'hook.test' });
  });
});
