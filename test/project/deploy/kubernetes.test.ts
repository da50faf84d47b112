import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments, stringify } from 'yaml';
import { variableNames } from '../../../src/infrastructure/config/variables.ts';
import { configOf, namesIn, PROBES, SECRETS, yaml } from '../../support/deployment-files.ts';
import { rendered } from '../../support/kubectl.ts';
import manifest from '../../../package.json' with { type: 'json' };

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
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: {
    readonly runAsNonRoot: boolean;
    readonly runAsUser: number;
    readonly runAsGroup: number;
    readonly fsGroup?: number;
  };
  readonly containers: readonly [Container];
}

type Labels = Readonly<Record<string, string>>;

/** What makes the pods: a deployment, or a stateful set where they keep a volume. */
interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly serviceName?: string;
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
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

interface PodSelector {
  readonly matchLabels: Labels;
}

interface PolicyRule {
  readonly ports?: readonly { readonly port: string | number }[];
  readonly from?: readonly unknown[];
  readonly to?: readonly { readonly ipBlock: { readonly except: readonly string[] } }[];
}

interface NetworkPolicy {
  readonly spec: {
    readonly podSelector: PodSelector;
    readonly policyTypes: readonly string[];
    readonly ingress: readonly PolicyRule[];
    readonly egress: readonly PolicyRule[];
  };
}

interface PodMonitor {
  readonly spec: {
    readonly selector: PodSelector;
    readonly podMetricsEndpoints: readonly { readonly port: string; readonly path: string }[];
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
  readonly metadata: { readonly name: string };
}

/** The overlays as they are applied, recorded: `RECORD=manifests` writes them anew, to be looked at before a commit. */
const RECORDED = join(import.meta.dirname, 'manifests');

/** The parts of an overlay as they are applied. */
interface Rendered {
  readonly resources: readonly Resource[];
  readonly workload: Workload;
  readonly policy: NetworkPolicy | undefined;
  readonly service: Service;
  readonly settings: ConfigMap;
  /** Of the overlay's own, if it has one. */
  readonly secret: { readonly metadata: { readonly name: string } } | undefined;
  readonly budget: Budget | undefined;
}

async function overlay(name: string): Promise<Rendered> {
  const resources = await resourcesOf(join(ROOT, FOLDER, 'overlays', name));
  const of = (kind: string): unknown => resources.find((resource) => resource.kind === kind);
  return {
    resources,
    workload: (of('Deployment') ?? of('StatefulSet')) as Workload,
    policy: of('NetworkPolicy') as NetworkPolicy | undefined,
    service: of('Service') as Service,
    settings: of('ConfigMap') as ConfigMap,
    secret: of('Secret') as Rendered['secret'],
    budget: of('PodDisruptionBudget') as Budget | undefined,
  };
}

async function resourcesOf(folder: string): Promise<readonly Resource[]> {
  const text = await rendered(folder);
  expect(text, 'warnings').not.to.contain('deprecated');
  return parseAllDocuments(text).map((document) => document.toJS() as Resource);
}

/** The resources as text, without the version of the image, in the order of their names. */
function recordOf(resources: readonly Resource[]): string {
  const key = ({ kind, metadata }: Resource): string => `${kind}/${metadata.name}`;
  const ordered = resources.toSorted((one, other) => key(one).localeCompare(key(other), 'en'));
  const documents = ordered.map((resource) => stringify(resource, { sortMapEntries: true }));
  return documents.join('---\n').replaceAll(`:${manifest.version}\n`, ':VERSION\n');
}

const OVERLAYS = ['development', 'embedded', 'replicas', 'postgres', 'sentinel', 'cluster'];

/** Of one replica: a budget would only get in the way of a drain. */
const ALONE = ['development', 'embedded'];

/** The keys of the example that an overlay without a store of its own takes. */
const EXAMPLE = (yaml(`${FOLDER}/secret.example.yaml`) as Secret).stringData;

const SECRETS_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  development: { AUTH_TOKENS: 'development' },
  embedded: { AUTH_TOKENS: 'secret' },
  replicas: EXAMPLE,
  postgres: { AUTH_TOKENS: 'secret', STORE_URI: 'postgres://user:secret@host/jobs' },
  sentinel: { AUTH_TOKENS: 'secret', STORE_PASSWORD: 'secret' },
  cluster: { AUTH_TOKENS: 'secret', STORE_PASSWORD: 'secret' },
};

const STORES: Readonly<Record<string, string>> = {
  development: 'memory',
  embedded: 'embedded',
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
        [container] = parts.workload.spec.template.spec.containers;
        const own = Object.fromEntries(container.env.map(({ name: key, value }) => [key, value]));
        environment = { ...own, ...parts.settings.data };
      });

      it('is applied as it was recorded', () => {
        const path = join(RECORDED, `${name}.yaml`);
        if (process.env['RECORD'] === 'manifests') writeFileSync(path, recordOf(parts.resources));
        expect(recordOf(parts.resources)).to.equal(readFileSync(path, 'utf8'));
      });

      it('starts its replicas on the ports of the service', () => {
        expect(parts.workload.spec.replicas).to.equal(ALONE.includes(name) ? 1 : 3);
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
        expect(parts.workload.spec.template.metadata.annotations).to.deep.equal({
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
        const { terminationGracePeriodSeconds } = parts.workload.spec.template.spec;
        expect(terminationGracePeriodSeconds * 1000).to.be.above(shutdownTimeout);
      });

      it('runs without root, capabilities and a file system to write to', () => {
        const { securityContext } = parts.workload.spec.template.spec;
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
        const { workload, service, budget } = parts;
        const { labels } = workload.spec.template.metadata;
        expect(workload.spec.selector.matchLabels).to.deep.equal(labels);
        expect(service.spec.selector).to.deep.equal(labels);
        expect(service.spec.ports.map(({ targetPort }) => targetPort)).to.deep.equal(['http']);
        if (ALONE.includes(name)) {
          expect(budget).to.equal(undefined);
          return;
        }
        expect(budget!.spec.selector.matchLabels).to.deep.equal(labels);
        expect(budget!.spec.maxUnavailable).to.be.within(1, workload.spec.replicas - 1);
      });
    });
  }

  it('come with an autoscaler that scales their deployment, from its number of replicas up', async () => {
    const { metadata, spec } = (await overlay('replicas')).workload;
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

  it('keep the jobs of the embedded store in a volume that its only replica may write to', async () => {
    const { workload, settings } = await overlay('embedded');
    expect(workload.kind).to.equal('StatefulSet');
    expect(workload.spec.serviceName).to.equal(workload.metadata.name);
    const [{ volumeMounts = [] }] = workload.spec.template.spec.containers;
    expect(volumeMounts.map(({ mountPath }) => mountPath)).to.deep.equal([
      settings.data['STORE_PATH'],
    ]);
    const claims = workload.spec.volumeClaimTemplates ?? [];
    expect(claims.map(({ metadata }) => metadata.name)).to.deep.equal(
      volumeMounts.map(({ name }) => name),
    );
    const { securityContext } = workload.spec.template.spec;
    expect(securityContext.fsGroup).to.equal(securityContext.runAsGroup);
  });

  for (const name of OVERLAYS.filter((each) => each !== 'development')) {
    it(`let anyone reach the API alone, and no replica the metadata of a cloud: ${name}`, async () => {
      const { policy, workload } = await overlay(name);
      const { podSelector, policyTypes, ingress, egress } = policy!.spec;
      expect(podSelector.matchLabels).to.deep.equal(workload.spec.template.metadata.labels);
      expect(policyTypes).to.have.members(['Ingress', 'Egress']);
      const open = ingress.filter(({ from }) => from === undefined);
      expect(open.map(({ ports }) => ports)).to.deep.equal([[{ port: 'http' }]]);
      const closed = ingress.filter(({ from }) => from !== undefined);
      expect(closed.map(({ ports }) => ports)).to.deep.equal([[{ port: 'metrics' }]]);
      for (const { to, ports } of egress) {
        if (to === undefined) expect(ports!.map(({ port }) => port)).to.deep.equal([53, 53]);
      }
      const excepted = egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock.except));
      expect(excepted).to.have.members(['169.254.0.0/16', 'fe80::/10']);
    });
  }

  it('come with a monitor of their pods for the Prometheus Operator', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jobgate-kubernetes-'));
    try {
      const path = (name: string): string => relative(folder, join(ROOT, FOLDER, name));
      const own = {
        resources: [path('overlays/replicas')],
        components: [path('components/pod-monitor')],
      };
      writeFileSync(join(folder, 'kustomization.yaml'), stringify(own));
      const resources = await resourcesOf(folder);
      const of = (kind: string): unknown => resources.find((resource) => resource.kind === kind);
      const { selector, podMetricsEndpoints } = (of('PodMonitor') as PodMonitor).spec;
      const { template } = (of('Deployment') as Workload).spec;
      expect(selector.matchLabels).to.deep.equal(template.metadata.labels);
      const [{ port, path: metrics } = {}] = podMetricsEndpoints;
      expect(template.spec.containers[0].ports.map(({ name }) => name)).to.include(port);
      expect(metrics).to.equal(template.metadata.annotations['prometheus.io/path']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
