import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { CALLBACK_PATH } from '../../../src/domain/access/sign-in.ts';
import { parseSignIn } from '../../../src/infrastructure/config/sign-in-file.ts';
import { variableNames } from '../../../src/infrastructure/config/variables.ts';
import { configOf, namesIn, PROBES, text, yaml } from '../../support/deployment-files.ts';

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly deploy?: { readonly replicas: number };
  readonly networks?: Readonly<Record<string, { readonly ipv4_address: string }>>;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
}

const { http, shutdownTimeout } = configOf({});

describe('the container files', () => {
  const names = namesIn('deploy').filter((name) => name.startsWith('docker-compose.'));

  it('are looked for where they are', () => {
    expect(names).to.include.members([
      'docker-compose.dragonfly.yml',
      'docker-compose.postgres.yml',
      'docker-compose.redis.yml',
      'docker-compose.replicas.yml',
      'docker-compose.sign-in.yml',
    ]);
  });

  for (const name of names) {
    const { jobgate, balancer } = (yaml(`deploy/${name}`) as ComposeFile).services;

    it(`set variables that exist, to values that are valid: ${name}`, () => {
      const environment = jobgate?.environment ?? {};
      expect(Object.keys(environment)).to.include('AUTH_TOKENS');
      expect(variableNames).to.include.members(Object.keys(environment));
      expect(() => configOf(given(environment))).not.to.throw();
    });

    it(`believe the headers of the proxy in front alone: ${name}`, () => {
      const { proxies } = configOf(given(jobgate?.environment ?? {})).auth;
      const own = balancer === undefined ? [] : [balancer.networks?.['default']?.ipv4_address];
      expect(proxies).to.deep.equal([...own, '192.0.2.1']);
    });

    it(`let running calls finish before they kill: ${name}`, () => {
      const grace = /^(\d+)s$/.exec(jobgate?.stop_grace_period ?? '')?.[1];
      expect(Number(grace) * 1000).to.be.above(shutdownTimeout);
    });
  }

  it('balance the load over three replicas, with bodies as large as the service takes them', () => {
    const file = yaml('deploy/docker-compose.replicas.yml') as ComposeFile;
    const { jobgate, balancer } = file.services;
    expect(jobgate?.deploy?.replicas).to.equal(3);
    expect(balancer?.volumes).to.include('./nginx.conf:/etc/nginx/nginx.conf:ro');
    expect(balancer?.depends_on).to.have.all.keys('jobgate');
    const configuration = text('deploy/nginx.conf');
    expect(configuration).to.match(new RegExp(`^ *server jobgate:${http.port} resolve`, 'm'));
    const largest = /client_max_body_size (\d+)m;/.exec(configuration)?.[1];
    expect(Number(largest) * 1024 * 1024).to.equal(http.maxBodySize);
  });

  it('let people sign in at an issuer that knows the service', () => {
    const file = yaml('deploy/docker-compose.sign-in.yml') as ComposeFile;
    const { environment = {}, volumes = [] } = file.services['jobgate'] ?? {};
    const { PUBLIC_URL, SIGN_IN_FILE } = environment;
    expect(volumes).to.include(`./dex/sign-in.json:${SIGN_IN_FILE}:ro`);
    const { issuer, clientId, clientSecret } = parseSignIn(text('deploy/dex/sign-in.json'));
    const redirectURIs = [`${PUBLIC_URL}${CALLBACK_PATH}`];
    const client = { id: clientId, name: 'jobgate', secret: clientSecret, redirectURIs };
    const dex = yaml('deploy/dex/dex.yaml');
    expect(dex).to.deep.include({ issuer, staticClients: [client] });
    expect(file.services['dex']?.volumes).to.include('./dex/dex.yaml:/etc/dex/dex.yaml:ro');
  });

  it('name images of others by their full version, or by digest', () => {
    const files = ['Dockerfile', ...names.map((name) => `deploy/${name}`)];
    const images = files
      .flatMap((file) => [...text(file).matchAll(/(?:image: |^ARG \w+_IMAGE=)(\S+)/gm)])
      .map(([, image = '']) => image)
      // What is built from this Dockerfile.
      .filter((image) => image !== 'jobgate');
    expect(images).to.have.lengthOf(6);
    for (const image of images)
      expect(image).to.match(
        /:v?\d+\.\d+\.\d+(?:-[\w.]+)?$|^postgres:\d+\.\d+$|@sha256:[\da-f]{64}$/,
      );
  });

  it('run the image without root, on the port and with a probe of the service', () => {
    const dockerfile = text('Dockerfile');
    expect(dockerfile).to.match(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(dockerfile).to.match(new RegExp(`^EXPOSE ${http.port}$`, 'm'));
    const probe = /fetch\(`http:\/\/127\.0\.0\.1:[^/]+(\/[^`]+)`\)/.exec(dockerfile)?.[1];
    expect(PROBES).to.include(probe);
  });

  it('copy all that the build imports into the image', () => {
    const dockerfile = text('Dockerfile');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, sources = '']) => sources.split(' '),
    );
    const allowed = text('.dockerignore')
      .split('\n')
      .flatMap((line) => /^!(.+)/.exec(line)?.[1] ?? []);
    const build = importedBy('scripts/build.js');
    expect(build).to.include('scripts/lua-files.js');
    for (const path of build) {
      expect(
        copied.some((pattern) => isMatch(path, pattern)),
        path,
      ).to.equal(true);
      expect(
        allowed.some((pattern) => isMatch(path, pattern)),
        path,
      ).to.equal(true);
    }
  });
});

/** The variables of a container where those that the file takes from outside are set. */
function given(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const outside: Readonly<Record<string, string>> = {
    AUTH_TOKENS: 'token',
    TRUST_PROXY: '192.0.2.1',
  };
  const values = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+):[^}]*\}/g, (_, each: string) => outside[each] ?? ''),
  ]);
  return Object.fromEntries(values) as Readonly<Record<string, string>>;
}

/** A module of the project and those that it imports, and so on. */
function importedBy(path: string): readonly string[] {
  const imports = [...text(path).matchAll(/ from '(\.[^']+)'/g)];
  return [path, ...imports.flatMap(([, name = '']) => importedBy(join(dirname(path), name)))];
}

/** Whether a pattern of Docker, in which `*` stands for a part of a name, names the path or a folder above it. */
function isMatch(path: string, pattern: string): boolean {
  const expression = pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  return new RegExp(`^${expression}(/|$)`).test(path);
}
