import { join } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { variableNames } from '../../../src/infrastructure/config/variables.ts';
import { configOf, namesIn, PROBES, SECRETS, yaml } from '../../support/deployment-files.ts';
import { rendered } from '../../support/kubectl.ts';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string };
  }[];
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

interface ConfigMap {
  readonly metadata: { readonly name: string };
  readonly data: Readonly<Record<string, string>>;
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

const ROOT = join(import.meta.dirname, '../../..');

interface Resource {
  readonly kind: string;
}

/** The parts of an overlay as they are applied. */
interface Rendered {
  readonly deployment: Deployment;
  readonly service: Service;
  readonly settings: ConfigMap;
  /** Of the overlay's own, if it has one. */
  readonly secret: { readonly metadata: { readonly name: string } } | undefined;
  readonly budget: Budget | undefined;
}

async function overlay(name: string): Promise<Rendered> {
  const text = await rendered(join(ROOT, FOLDER, 'overlays', name));
  expect(text, 'warnings').not.to.contain('deprecated');
  const resources = parseAllDocuments(text).map((document) => document.toJS() as Resource);
  const of = (kind: string): unknown => resources.find((resource) => resource.kind === kind);
  return {
    deployment: of('Deployment') as Deployment,
    service: of('Service') as Service,
    settings: of('ConfigMap') as ConfigMap,
    secret: of('Secret') as Rendered['secret'],
    budget: of('PodDisruptionBudget') as Budget | undefined,
  };
}

const OVERLAYS = ['development', 'replicas', 'postgres', 'sentinel', 'cluster'];

/** The keys of the example that an overlay without a store of its own takes. */
const EXAMPLE = (yaml(`${FOLDER}/secret.example.yaml`) as Secret).stringData;

const SECRETS_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  development: { AUTH_TOKENS: 'development' },
  replicas: EXAMPLE,
  postgres: { AUTH_TOKENS: 'secret', STORE_URI: 'postgres://user:secret@host/jobs' },
  sentinel: { AUTH_TOKENS: 'secret', STORE_PASSWORD: 'secret' },
  cluster: { AUTH_TOKENS: 'secret', STORE_PASSWORD: 'secret' },
};

const STORES: Readonly<Record<string, string>> = {
  development: 'memory',
  postgres: 'postgres',
  replicas: 'single',
  sentinel: 'sentinel',
  cluster: 'cluster',
};

describe('the overlays for Kubernetes', () => {
  it('are all tested', () => {
    expect(namesIn(`${FOLDER}/overlays`)).to.have.members(OVERLAYS);
  });

  for (const name of OVERLAYS) {
    describe(name, () => {
      let parts: Rendered;
      let container: Container;
      let environment: Readonly<Record<string, string>>;

      before(async function () {
        this.timeout(300_000);
        parts = await overlay(name);
        [container] = parts.deployment.spec.template.spec.containers;
        const own = Object.fromEntries(container.env.map(({ name: key, value }) => [key, value]));
        environment = { ...own, ...parts.settings.data };
      });

      it('starts its replicas on the ports of the service', () => {
        expect(parts.deployment.spec.replicas).to.equal(name === 'development' ? 1 : 3);
        const { http, metrics } = configOf({ ...environment, ...SECRETS_OF[name] });
        expect(container.ports).to.deep.equal([
          { name: 'http', containerPort: http.port },
          { name: 'metrics', containerPort: metrics.port },
        ]);
      });

      // holds: deploy.overlays
      it('sets variables that exist, from its secret too, to values that are valid', () => {
        const { settings, secret } = parts;
        expect(container.envFrom).to.deep.equal([
          { configMapRef: { name: settings.metadata.name } },
          { secretRef: { name: secret?.metadata.name ?? 'jobgate' } },
        ]);
        for (const variable of Object.keys(environment)) expect(SECRETS).not.to.include(variable);
        const all = { ...environment, ...SECRETS_OF[name] };
        expect(variableNames).to.include.members(Object.keys(all));
        const config = configOf(all);
        expect(config.auth.tokens).to.have.lengthOf(1);
        const { store } = config;
        expect(store.kind === 'redis' ? store.topology.kind : store.kind).to.equal(STORES[name]);
      });

      it('points Prometheus to the metrics', () => {
        expect(parts.deployment.spec.template.metadata.annotations).to.deep.equal({
          'prometheus.io/scrape': 'true',
          'prometheus.io/port': String(
            configOf({ ...environment, ...SECRETS_OF[name] }).metrics.port,
          ),
          'prometheus.io/path': '/metrics',
        });
      });

      it('asks probes that exist', () => {
        const { livenessProbe, readinessProbe } = container;
        expect(livenessProbe.httpGet).to.deep.equal({ path: '/health/live', port: 'http' });
        expect(readinessProbe.httpGet).to.deep.equal({ path: '/health/ready', port: 'http' });
        expect(PROBES).to.have.members(['/health/live', '/health/ready']);
      });

      it('serves while the nodes hear of the end, and lets running calls finish before it is killed', () => {
        const { http, shutdownTimeout } = configOf({ ...environment, ...SECRETS_OF[name] });
        expect(http.drainTime).to.be.within(5000, shutdownTimeout / 2);
        const { terminationGracePeriodSeconds } = parts.deployment.spec.template.spec;
        expect(terminationGracePeriodSeconds * 1000).to.be.above(shutdownTimeout);
      });

      it('runs without root, capabilities and a file system to write to', () => {
        const { securityContext } = parts.deployment.spec.template.spec;
        expect(securityContext).to.include({ runAsNonRoot: true });
        expect(securityContext.runAsUser).to.be.above(0);
        expect(container.securityContext).to.deep.equal({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      });

      it('says what a replica needs', () => {
        expect(container.resources.requests).to.have.all.keys('cpu', 'memory');
        expect(container.resources.limits).to.have.property('memory');
      });

      it('selects the pods of the deployment', () => {
        const { deployment, service, budget } = parts;
        const { labels } = deployment.spec.template.metadata;
        expect(deployment.spec.selector.matchLabels).to.deep.equal(labels);
        expect(service.spec.selector).to.deep.equal(labels);
        expect(service.spec.ports.map(({ targetPort }) => targetPort)).to.deep.equal(['http']);
        if (name === 'development') {
          expect(budget).to.equal(undefined);
          return;
        }
        expect(budget!.spec.selector.matchLabels).to.deep.equal(labels);
        expect(budget!.spec.maxUnavailable).to.be.within(1, deployment.spec.replicas - 1);
      });
    });
  }

  it('come with an autoscaler that scales their deployment, from its number of replicas up', async () => {
    const { metadata, spec } = (await overlay('replicas')).deployment;
    const path = `${FOLDER}/overlays/replicas/horizontal-pod-autoscaler.yaml`;
    const scaler = (yaml(path) as Autoscaler).spec;
    expect(scaler.scaleTargetRef).to.deep.equal({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: metadata.name,
    });
    expect(scaler.minReplicas).to.equal(spec.replicas);
    expect(scaler.maxReplicas).to.be.above(scaler.minReplicas);
  });
});
