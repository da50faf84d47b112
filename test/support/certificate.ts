import { generate } from 'selfsigned';

/** In PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A new self-signed certificate for the loopback interface. */
export async function selfSignedCertificate(): Promise<Certificate> {
  const name = [{ name: 'commonName', value: 'localhost' }];
  const { private: key, cert } = await generate(name, { keyType: 'ec', algorithm: 'sha256' });
  return { key, cert };
}
