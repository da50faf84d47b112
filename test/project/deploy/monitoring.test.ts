import { join } from 'node:path';
import { expect } from 'chai';
import { createService, type Service } from '../../../src/infrastructure/service.ts';
import { configOf, text, yaml } from '../../support/deployment-files.ts';
import { answer, EndpointServer } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import { requirePromtool } from '../../support/promtool.ts';
import { runCommand } from '../../support/run-command.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const RULES = 'deploy/prometheus/jobgate.rules.yml';
const RULES_TEST = 'deploy/prometheus/jobgate.rules.test.yml';
const DASHBOARD = 'deploy/grafana/jobgate.json';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

interface RulesTest {
  readonly tests: readonly {
    readonly alert_rule_test: readonly { readonly alertname: string }[];
  }[];
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: unknown }[];
  };
}

describe('the files for Prometheus and Grafana', () => {
  const rules = (yaml(RULES) as Rules).groups.flatMap((group) => group.rules);
  const dashboard = JSON.parse(text(DASHBOARD)) as Dashboard;
  const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);
  let service: Service;
  let endpoint: EndpointServer;

  before(async () => {
    endpoint = await EndpointServer.start();
    const environment = { STORE: 'memory', PORT: '0', AUTH_TOKENS: 'secret', DRAIN_TIME: '0' };
    service = await createService(configOf(environment), silentLogger);
    await service.start();
  });

  after(async () => {
    await service.stop();
    await endpoint.close();
  });

  async function call(method: string, path: string, body?: unknown): Promise<string> {
    const answered = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      headers: { authorization: 'Bearer secret' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answered.text();
  }

  // holds: deploy.rules
  it('pass the check and the tests of promtool', async function () {
    this.timeout(300_000);
    const promtool = await requirePromtool();
    for (const [action, file] of [
      ['check', RULES],
      ['test', RULES_TEST],
    ] as const) {
      const path = join(import.meta.dirname, '../../..', file);
      const { succeeded, output } = await runCommand(promtool, [action, 'rules', path]);
      expect(succeeded, output).to.equal(true);
    }
  });

  // holds: deploy.rules
  it('have a test for every rule', () => {
    const tests = (yaml(RULES_TEST) as RulesTest).tests.flatMap((each) => each.alert_rule_test);
    const tested = new Set(tests.map(({ alertname }) => alertname));
    expect([...tested]).to.have.members(rules.map(({ alert }) => alert));
  });

  it('have an objective for every alert', () => {
    const page = text('docs/operations.md');
    const named = new Set([...page.matchAll(/`(Jobgate\w+)`/g)].map(([, name]) => name));
    expect([...named]).to.have.members(rules.map(({ alert }) => alert));
  });

  // holds: deploy.metrics
  it('name metrics and labels that a running service has', async () => {
    endpoint.respond = answer(200);
    const worker = { queue: 'mail', endpoint: { url: endpoint.url, method: 'post' } };
    await call('POST', '/workers', worker);
    await call('POST', '/queues/mail/jobs', [{ name: 'a', data: 1 }]);
    const page = await eventually('a call was made', async () => {
      const now = await call('GET', '/metrics');
      return now.includes('jobgate_call_seconds_count{') && now;
    });
    const types = [...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
    );
    const labels = [...page.matchAll(/[{,](\w+)="/g)].map(([, label]) => label);
    const known = new Set([...types, ...labels, 'instance']);
    const queries = dashboard.templating.list.map(({ query }) => JSON.stringify(query));
    const expressions = [...rules, ...targets].map(({ expr }) => expr);
    for (const expression of expressions) {
      const named = namesIn(expression);
      expect(named, expression).to.match(/\b(jobgate|nodejs|process)_/);
      for (const name of named.split(' ')) expect(known, expression).to.include(name);
    }
    for (const [name] of queries.join(' ').matchAll(/\bjobgate_\w+/g)) {
      expect(types).to.include(name);
    }
  });

  it('have panels of different ids, each with a query', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id))).to.have.lengthOf(panels.length);
    for (const { type, targets: own = [] } of panels) {
      if (type !== 'row') expect(own).not.to.be.empty;
    }
  });
});

const WORDS_OF_THE_LANGUAGE =
  /^(absent|and|by|count|for|histogram_quantile|increase|max|on|or|rate|sum|unless|vector)$/;

/** The metrics and labels that an expression names. */
function namesIn(expression: string): string {
  const withoutTexts = expression.replaceAll(/"[^"]*"/g, '').replaceAll(/\[[^\]]*\]/g, '');
  const names = withoutTexts.match(/\b[a-z]\w*/g) ?? [];
  return names.filter((name) => !WORDS_OF_THE_LANGUAGE.test(name)).join(' ');
}
