import { join } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { StoreGauges } from '../../../src/adapters/outbound/prometheus/store-gauges.ts';
import { HttpService } from '../../integration/http/support/http-service.ts';
import { restrictedTokens } from '../../integration/http/support/restricted-tokens.ts';
import { namesIn, yaml } from '../../support/deployment-files.ts';
import { rendered } from '../../support/kubectl.ts';

const FOLDER = 'deploy/kubernetes/autoscaling';

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: unknown;
}

interface ScaledObject {
  readonly scaleTargetRef: { readonly name: string };
  readonly minReplicaCount: number;
  readonly maxReplicaCount: number;
  readonly triggers: readonly [
    {
      readonly type: string;
      readonly metadata: Readonly<Record<string, string>>;
      readonly authenticationRef: { readonly name: string };
    },
  ];
}

interface TriggerAuthentication {
  readonly secretTargetRef: readonly [Readonly<Record<'parameter' | 'name' | 'key', string>>];
}

interface Autoscaler {
  readonly scaleTargetRef: Readonly<Record<string, string>>;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly metrics: readonly [
    {
      readonly type: string;
      readonly external: {
        readonly metric: {
          readonly name: string;
          readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
        };
        readonly target: Readonly<Record<string, string>>;
      };
    },
  ];
}

interface AdapterValues {
  readonly rules: {
    readonly external: readonly [
      Readonly<Record<'seriesQuery' | 'metricsQuery', string>> & { readonly name: object },
    ];
  };
}

async function resourcesOf(name: string): Promise<readonly Resource[]> {
  const text = await rendered(join(import.meta.dirname, '../../..', FOLDER, name));
  expect(text, 'warnings').not.to.contain('deprecated');
  return parseAllDocuments(text).map((document) => document.toJS() as Resource);
}

describe('the autoscalers for Kubernetes', function () {
  // kubectl may have to be installed first.
  this.timeout(300_000);

  it('are all tested', () => {
    expect(namesIn(FOLDER)).to.have.members(['keda', 'horizontal-pod-autoscaler']);
  });

  // holds: demand.manifests
  it('have KEDA ask for the demand of a queue, with a token that may read nothing else', async () => {
    const resources = await resourcesOf('keda');
    const specOf = (kind: string) => resources.find((each) => each.kind === kind)?.spec;
    const scaled = specOf('ScaledObject') as ScaledObject;
    const authentication = specOf('TriggerAuthentication') as TriggerAuthentication;
    expect(resources).to.have.lengthOf(2);
    expect(scaled.minReplicaCount).to.equal(0);
    expect(scaled.maxReplicaCount).to.be.above(1);
    const [{ type, metadata, authenticationRef }] = scaled.triggers;
    expect({ type, authMode: metadata['authMode'] }).to.deep.equal({
      type: 'metrics-api',
      authMode: 'bearer',
    });
    // Of the value, so many want one replica.
    expect(metadata['targetValue']).to.equal('1');
    const names = resources.filter(({ kind }) => kind === 'TriggerAuthentication');
    expect(names.map((each) => each.metadata.name)).to.deep.equal([authenticationRef.name]);
    const [secret] = authentication.secretTargetRef;
    expect(secret).to.include({ parameter: 'token', key: 'token' });

    const { pathname, search } = new URL(metadata['url']!);
    const queue = /^\/queues\/([^/]+)\//.exec(pathname)?.[1] ?? '';
    const knownTokens = restrictedTokens({ scaler: { rights: ['metrics'], queues: [queue] } });
    const service = await new HttpService({ knownTokens }).start();
    try {
      const jobs = Array.from({ length: 25 }, () => ({ name: 'work', data: 1 }));
      await service.request('POST', `/queues/${queue}/jobs`, { body: jobs });
      const { text } = await service.request('GET', `${pathname}${search}`, { token: 'scaler' });
      const answer = JSON.parse(text) as Readonly<Record<string, number>>;
      expect(answer[metadata['valueLocation']!]).to.equal(3);
    } finally {
      await service.stop();
    }
  });

  // holds: demand.manifests
  it('scale by a metric of a queue that the service has, which the adapter for Prometheus serves', async () => {
    const [scaler, ...others] = await resourcesOf('horizontal-pod-autoscaler');
    expect([scaler?.kind, others]).to.deep.equal(['HorizontalPodAutoscaler', []]);
    const { minReplicas, maxReplicas, metrics } = scaler?.spec as Autoscaler;
    expect(minReplicas).to.equal(1);
    expect(maxReplicas).to.be.above(1);
    const [{ type, external }] = metrics;
    expect(type).to.equal('External');
    expect(external.target).to.deep.equal({ type: 'AverageValue', averageValue: '10' });
    const { name, selector } = external.metric;
    expect(Object.keys(selector.matchLabels)).to.deep.equal(['queue']);
    const gauges = new StoreGauges({} as never).metrics.map((each) => each.name);
    expect(gauges).to.include(name);
    const [rule] = (
      yaml(`${FOLDER}/horizontal-pod-autoscaler/prometheus-adapter.values.yaml`) as AdapterValues
    ).rules.external;
    expect(rule.seriesQuery).to.match(new RegExp(`^${name}\\{`));
    expect(rule.metricsQuery).to.equal(`max by (queue) (${name}{<<.LabelMatchers>>})`);
    expect(rule.name).to.deep.equal({ as: name });
  });
});
