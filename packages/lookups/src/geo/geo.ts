import { canonicalIp } from '@dmarc-ledger/vocabulary';
import { mmdbFile, type MmdbFile, type MmdbOptions } from './mmdb-file.ts';
import { mmdbPages } from './mmdb-pages.ts';
import { networkOfMmdb, networkOfTable, type NetworkSource } from './network-source.ts';
import { readPlace, type Network, type Place } from './place.ts';
import { shippedData } from './shipped-data.ts';

export interface GeoOptions extends MmdbOptions {
  /** The operator's file of cities or countries (GEOIP_CITY_DB). Default: the bundled data. */
  cityDb?: string;
  /** The operator's file of networks (GEOIP_ASN_DB). Default: the bundled data, if its package is installed. */
  asnDb?: string;
}

/** A file in use. */
export interface GeoSource {
  kind: 'city' | 'country' | 'network';
  path: string;
  shipped: boolean;
  /** Null until its first use. */
  builtAt: Date | null;
}

/**
 * Looks up the place and network of addresses. Files are opened at the first lookup and read again when they change.
 */
export interface Geo {
  /** Empty if nothing is known of the address. Rejects if a file is missing or damaged, which `onFailure` reports. */
  lookUp(ip: string): Promise<Place & Network>;
  /** Rejects if a file is missing or invalid: the caller hears of it, and `onFailure` does not. */
  open(): Promise<void>;
  readonly sources: readonly GeoSource[];
}

export function openGeo({ onFailure = () => {}, ...given }: GeoOptions = {}): Geo {
  let isOpening = false;
  const options = { ...given, onFailure: (error: unknown) => void (isOpening || onFailure(error)) };
  const places = placeFiles(options);
  const network = networkSource(options);
  const lookUp = async (ip: string): Promise<Place & Network> => {
    const address = canonicalIp(ip);
    if (address === undefined) return {};
    const file = address.includes(':') ? places.v6 : places.v4;
    const [place, holder] = await Promise.all([file.get(address), network?.find(address)]);
    return { ...readPlace(place), ...holder };
  };
  return {
    lookUp,
    async open() {
      isOpening = true;
      try {
        await Promise.all(['192.0.2.1', '2001:db8::1'].map(lookUp));
      } finally {
        isOpening = false;
      }
    },
    get sources(): GeoSource[] {
      const { kind, shipped } = places;
      const files = [...new Set([places.v4, places.v6])];
      const inUse: GeoSource[] = files.map(({ path, builtAt }) => ({ kind, path, shipped, builtAt }));
      if (!network) return inUse;
      return [...inUse, { kind: 'network', path: network.path, shipped: network.shipped, builtAt: network.builtAt }];
    },
  };
}

interface PlaceFiles {
  v4: MmdbFile;
  v6: MmdbFile;
  kind: GeoSource['kind'];
  shipped: boolean;
}

function placeFiles({ cityDb, ...options }: GeoOptions): PlaceFiles {
  const { onFailure } = options;
  if (cityDb !== undefined) {
    const file = mmdbFile(cityDb, options);
    return { v4: file, v6: file, kind: 'city', shipped: false };
  }
  const { city, country } = shippedData();
  if (city)
    return { v4: mmdbPages(city.v4, onFailure), v6: mmdbPages(city.v6, onFailure), kind: 'city', shipped: true };
  const file = mmdbPages(country, onFailure);
  return { v4: file, v6: file, kind: 'country', shipped: true };
}

function networkSource({ asnDb, ...options }: GeoOptions): NetworkSource | undefined {
  if (asnDb !== undefined) return networkOfMmdb(asnDb, options);
  const { network } = shippedData();
  return network && networkOfTable(network, options.onFailure);
}
