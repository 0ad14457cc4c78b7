import type { Protocol } from '@dmarc-ledger/vocabulary';

/** How each protocol is called on pages. */
export const protocolNames: { [name in Protocol]: string } = {
  dmarc: 'DMARC',
  spf: 'SPF',
  dkim: 'DKIM',
  mta_sts: 'MTA-STS',
  tls_rpt: 'TLS reporting',
  bimi: 'BIMI',
  dane: 'DANE',
  aprf: 'Placement reports',
};

/** True for the name of a protocol. */
export function isProtocol(name: string): name is Protocol {
  return Object.hasOwn(protocolNames, name);
}
