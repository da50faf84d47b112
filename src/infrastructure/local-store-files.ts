import type { StoreFiles } from '../command-line/store-files.ts';

/** The files of embedded stores on this machine. Each of these is loaded when a command needs it. */
export const localStoreFiles: StoreFiles = {
  check: async (folder) => {
    const { checkStore } = await import('../adapters/outbound/embedded/file/check-store.ts');
    return checkStore(folder);
  },
  restore: async (file, folder) => {
    const { restoreStore } = await import('../adapters/outbound/embedded/file/restore-store.ts');
    return restoreStore(file, folder);
  },
  recover: async (folder, file) => {
    const { recoverStore } = await import('../adapters/outbound/embedded/file/recover-store.ts');
    return recoverStore(folder, file);
  },
};
