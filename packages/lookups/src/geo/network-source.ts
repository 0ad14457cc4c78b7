import { stat } from 'node:fs/promises';
import { fileFaults, type OnGeoFault } from './file-faults.ts';
import { mmdbFile, type MmdbOptions } from './mmdb-file.ts';
import { readNetworkTable, type NetworkTable } from './network-table.ts';
import { readNetwork, type Network } from './place.ts';

/** Finds the network of an address, whatever the file format. */
export interface NetworkSource {
  find(ip: string): Promise<Network>;
  readonly path: string;
  readonly shipped: boolean;
  readonly builtAt: Date | null;
}

export function networkOfMmdb(path: string, options: MmdbOptions): NetworkSource {
  const file = mmdbFile(path, options);
  return {
    path,
    shipped: false,
    get builtAt() {
      return file.builtAt;
    },
    find: async (ip) => readNetwork(await file.get(ip)),
  };
}

/** Read completely at the first lookup. The package's files have no date but their own. */
export function networkOfTable(
  { v4, v6 }: { v4: string; v6: string },
  onFailure: OnGeoFault = () => {},
): NetworkSource {
  let table: Promise<NetworkTable> | undefined;
  let builtAt: Date | null = null;
  const faults = fileFaults(onFailure);
  const load = async () => {
    builtAt = (await stat(v4)).mtime;
    return await readNetworkTable(v4, v6);
  };
  const loadAgain = () =>
    load().catch((error: unknown) => {
      table = undefined; // the next lookup tries again
      throw error;
    });
  return {
    path: v4,
    shipped: true,
    get builtAt() {
      return builtAt;
    },
    find: (ip) => faults.noted(async () => (await (table ??= loadAgain())).find(ip)),
  };
}
