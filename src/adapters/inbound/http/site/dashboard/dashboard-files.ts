import { fileURLToPath, URL } from 'node:url';

/** The files that browsers load, by name. */
export interface DashboardFiles {
  /** The names of the files that the page begins with. */
  readonly script: string;
  readonly style: string;
  readonly files: Readonly<Record<string, DashboardFile>>;
}

export interface DashboardFile {
  readonly type: string;
  /** Its compressed bytes, in base64. */
  readonly gzip: string;
  readonly brotli: string;
}

interface Builder {
  dashboardFiles(root: string): Promise<DashboardFiles>;
}

const ROOT = new URL('../../../../../../', import.meta.url);

/** Builds the files when the service runs from its sources. The build replaces this module with the finished files. */
export async function dashboardFiles(): Promise<DashboardFiles> {
  const builder = (await import(new URL('scripts/dashboard-files.js', ROOT).href)) as Builder;
  return builder.dashboardFiles(fileURLToPath(ROOT));
}
