import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { WinstonLogger } from '../../src/adapters/outbound/winston/winston-logger.ts';
import type { LoggerPort } from '../../src/application/ports/logger-port.ts';
import { loadConfig } from '../../src/infrastructure/config/load-config.ts';
import { createService, type Service } from '../../src/infrastructure/service.ts';
import { answer, EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { marked } from './marks.ts';
import { Recording } from './recording.ts';

const TOKEN = 'secret';

describe('a service that adds a job, calls its endpoint twice and completes it', () => {
  const streams = { json: new PassThrough(), pretty: new PassThrough() } as const;
  let endpoint: EndpointServer;
  let service: Service;

  before(async () => {
    const answers = [answer(503, 'Busy'), answer(200, { sent: true })];
    endpoint = await EndpointServer.start((call, response) => answers.shift()?.(call, response));
    const config = loadConfig(
      { STORE: 'memory', PORT: '0', AUTH_TOKENS: TOKEN, DRAIN_TIME: '0', METRICS_QUEUES: '5' },
      { readFile: () => '', isTerminal: false },
    );
    service = await createService(config, logger());
    await service.start();
    await request('POST', '/workers', {
      queue: 'mail',
      endpoint: { url: endpoint.origin, method: 'post' },
    });
  });

  after(async () => {
    await service.stop();
    await endpoint.close();
  });

  /** Writes each line for programs and for people. */
  function logger(): LoggerPort {
    const common = { debug: true, colours: false, instance: 'host:1' };
    const loggers = (['json', 'pretty'] as const).map(
      (format) => new WinstonLogger({ ...common, format, stream: streams[format] }),
    );
    const write =
      (level: 'debug' | 'info' | 'warn' | 'error'): LoggerPort['info'] =>
      (message, fields) => {
        for (const each of loggers) each[level](message, fields);
      };
    return {
      writesDebug: true,
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    };
  }

  async function request(method: string, path: string, body?: unknown): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    return text;
  }

  it('logs the lines and has the metrics that were recorded', async () => {
    const opts = { jobId: 'letter', attempts: 2, backoff: 1 };
    await request('POST', '/queues/mail/jobs', [{ name: 'send', data: 1, opts }]);
    await eventually('the job is completed', async () =>
      (await request('GET', '/queues/mail/jobs/letter')).includes('finishedOn'),
    );
    const metrics = await eventually('the call is counted', async () => {
      const page = await request('GET', '/metrics');
      return page.includes('outcome="completed"') && page;
    });
    await service.stop();
    const recording = new Recording('service');
    for (const [format, stream] of Object.entries(streams)) {
      const lines = linesOf(marked(String(stream.read()))).filter((line) => !READS.test(line));
      // Parts of the service write at the same time.
      recording.note(`log, ${format}`, lines.toSorted().join('\n'));
    }
    // Their values differ, and so do the metrics of the process with the version of Node.js.
    const ours = linesOf(metrics).filter((line) => OURS.test(line) && !READS.test(line));
    recording.note(
      'metrics',
      ours.map((line) => line.replace(/^(jobgate_.*) \S+$/, '$1')).join('\n'),
    );
    recording.expectUnchanged();
  });
});

/** The metrics of the service, without those of the process. */
const OURS = /^(?:# \w+ )?jobgate_/;

/** Requests that are repeated until the job is completed. */
const READS = /"method":"GET"|method="?GET/;

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
