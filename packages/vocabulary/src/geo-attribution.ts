/** The text that the licences of the bundled geo data require: in the documentation, and on pages that show places. */
export const geoAttribution = {
  text:
    'IP geolocation by DB-IP (CC BY 4.0, db-ip.com); AS data by Route Views (routeviews.org), NRO (nro.net) and ' +
    'DB-IP (CC BY 4.0).',
  html: '<a href="https://db-ip.com">IP Geolocation by DB-IP</a>',
} as const;
