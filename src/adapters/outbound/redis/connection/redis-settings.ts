/** The addresses of the store, and the credentials for it. */
export interface RedisSettings {
  readonly topology: RedisTopology;
  readonly username?: string;
  readonly password?: string;
  /** Present when connections are encrypted. */
  readonly tls?: TlsCertificates;
}

export type RedisTopology =
  | { readonly kind: 'single'; readonly host: string; readonly port: number; readonly db?: number }
  | { readonly kind: 'cluster'; readonly nodes: readonly HostAndPort[] }
  | {
      readonly kind: 'sentinel';
      readonly sentinels: readonly HostAndPort[];
      readonly master: string;
    };

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** PEM texts. Without `ca` the certificates of the platform are trusted. */
export interface TlsCertificates {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The address for the log, without credentials. */
export function addressOf(topology: RedisTopology): string {
  switch (topology.kind) {
    case 'single':
      return hostAndPort(topology);
    case 'cluster':
      return topology.nodes.map(hostAndPort).join(', ');
    case 'sentinel':
      return `${topology.master} at ${topology.sentinels.map(hostAndPort).join(', ')}`;
  }
}

function hostAndPort({ host, port }: HostAndPort): string {
  return `${host}:${String(port)}`;
}
