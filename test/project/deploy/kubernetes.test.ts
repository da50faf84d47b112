import { expect } from 'chai';
import { variableNames } from '../../../src/infrastructure/config/variables.ts';
import { configOf, namesIn, PROBES, SECRETS, yaml } from '../../support/deployment-files.ts';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
  readonly securityContext: Readonly<Record<string, unknown>>;
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly runAsUser: number };
  readonly containers: readonly [Container];
}

type Labels = Readonly<Record<string, string>>;

interface Deployment {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Labels };
    readonly template: {
      readonly metadata: { readonly labels: Labels; readonly annotations: Labels };
      readonly spec: Pod;
    };
  };
}

interface Kustomization {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string }[];
}

interface Secret {
  readonly metadata: { readonly name: string };
  readonly stringData: Readonly<Record<string, string>>;
}

interface Service {
  readonly spec: {
    readonly selector: Labels;
    readonly ports: readonly { readonly targetPort: string }[];
  };
}

interface Budget {
  readonly spec: {
    readonly selector: { readonly matchLabels: Labels };
    readonly maxUnavailable: number;
  };
}

interface Autoscaler {
  readonly spec: {
    readonly scaleTargetRef: unknown;
    readonly minReplicas: number;
    readonly maxReplicas: number;
  };
}

const FOLDER = 'deploy/kubernetes';

function manifest(name: string): unknown {
  return yaml(`${FOLDER}/${name}.yaml`);
}

describe('the Kubernetes manifests', () => {
  const { metadata, spec } = manifest('deployment') as Deployment;
  const pod = spec.template.spec;
  const [container] = pod.containers;
  const environment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));

  it('are listed in the kustomization, which names their image', () => {
    const { resources, images } = manifest('kustomization') as Kustomization;
    const files = namesIn(FOLDER);
    expect(files).to.include.members(resources);
    // The secret is everybody's own, and the autoscaler is a hint.
    const others = files.filter((file) => !resources.includes(file));
    expect(others).to.have.members([
      'kustomization.yaml',
      'secret.example.yaml',
      'horizontal-pod-autoscaler.yaml',
    ]);
    expect(images.map(({ name }) => name)).to.deep.equal([container.image]);
  });

  it('start three replicas on the ports of the service', () => {
    expect(spec.replicas).to.equal(3);
    const { http, metrics } = configOf(environment);
    expect(container.ports).to.deep.equal([
      { name: 'http', containerPort: http.port },
      { name: 'metrics', containerPort: metrics.port },
    ]);
  });

  it('tell Prometheus where the metrics are', () => {
    expect(spec.template.metadata.annotations).to.deep.equal({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': String(configOf(environment).metrics.port),
      'prometheus.io/path': '/metrics',
    });
  });

  it('ask probes that exist', () => {
    expect(container.livenessProbe.httpGet).to.deep.equal({ path: '/health/live', port: 'http' });
    expect(container.readinessProbe.httpGet).to.deep.equal({ path: '/health/ready', port: 'http' });
    expect(PROBES).to.have.members(['/health/live', '/health/ready']);
  });

  it('serve while the nodes hear of the end, and let running calls finish before they kill', () => {
    const { http, shutdownTimeout } = configOf(environment);
    expect(http.drainTime).to.be.within(5000, shutdownTimeout / 2);
    expect(pod.terminationGracePeriodSeconds * 1000).to.be.above(shutdownTimeout);
  });

  it('set variables that exist, from the secret too, to values that are valid', () => {
    const secret = manifest('secret.example') as Secret;
    expect(container.envFrom).to.deep.equal([{ secretRef: { name: secret.metadata.name } }]);
    const all = { ...environment, ...secret.stringData };
    expect(variableNames).to.include.members(Object.keys(all));
    for (const { name } of container.env) expect(SECRETS).not.to.include(name);
    const config = configOf(all);
    expect(config.auth.tokens).to.have.lengthOf(1);
    expect(config.store.kind).to.equal('redis');
  });

  it('run without root, capabilities and a file system to write to', () => {
    expect(pod.securityContext).to.include({ runAsNonRoot: true });
    expect(pod.securityContext.runAsUser).to.be.above(0);
    expect(container.securityContext).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('say what a replica needs', () => {
    expect(container.resources.requests).to.have.all.keys('cpu', 'memory');
    expect(container.resources.limits).to.have.property('memory');
  });

  it('select the pods of the deployment', () => {
    const labels = spec.template.metadata.labels;
    expect(spec.selector.matchLabels).to.deep.equal(labels);
    const service = manifest('service') as Service;
    expect(service.spec.selector).to.deep.equal(labels);
    expect(service.spec.ports.map(({ targetPort }) => targetPort)).to.deep.equal(['http']);
    const budget = manifest('pod-disruption-budget') as Budget;
    expect(budget.spec.selector.matchLabels).to.deep.equal(labels);
    expect(budget.spec.maxUnavailable).to.be.within(1, spec.replicas - 1);
  });

  it('scale the deployment, from its number of replicas up', () => {
    const scaler = (manifest('horizontal-pod-autoscaler') as Autoscaler).spec;
    expect(scaler.scaleTargetRef).to.deep.equal({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: metadata.name,
    });
    expect(scaler.minReplicas).to.equal(spec.replicas);
    expect(scaler.maxReplicas).to.be.above(scaler.minReplicas);
  });
});
