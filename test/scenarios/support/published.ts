import type { Ask, Found } from '@dmarc-ledger/dns-records';
import { dkimKey, type SampleZone } from '@dmarc-ledger/samples';

/** What a world publishes in the DNS, by name. A test may change it between two checks. */
export type Published = Pick<SampleZone, 'mx' | 'addresses'> & { txt: { [name: string]: readonly string[] } };

export const OURS = 'dmarc@ledger.example';
const RUA = `rua=mailto:${OURS}`;

/** What a domain publishes: tags of its DMARC record, terms of its SPF record, selectors that have a key. */
export interface Records {
  dmarc?: string;
  spf?: string;
  selectors?: readonly string[];
}

export function zone(domain: string, { dmarc, spf, selectors = [] }: Records): Published {
  return {
    txt: {
      ...(dmarc !== undefined && { [`_dmarc.${domain}`]: [`v=DMARC1; ${dmarc}; ${RUA}`] }),
      ...(spf !== undefined && { [domain]: [`v=spf1 ${spf}`] }),
      ...Object.fromEntries(selectors.map((selector) => [`${selector}._domainkey.${domain}`, [dkimKey]])),
    },
    mx: {},
  };
}

/** The records of several domains together. */
export function zones(...all: readonly Published[]): Published {
  return { txt: Object.assign({}, ...all.map(({ txt }) => txt)), mx: Object.assign({}, ...all.map(({ mx }) => mx)) };
}

/** Queries that find what is published by any of these worlds at that moment. */
export function askOf(published: () => readonly Published[]): Ask {
  const find = <Value>(valuesOf: (one: Published) => readonly Value[] | undefined): Found<Value> => {
    const values = published()
      .map(valuesOf)
      .find((each) => each !== undefined);
    return values ? { kind: 'found', values } : { kind: 'none' };
  };
  const mailServers: Ask['mailServers'] = async (name) =>
    find(({ mx }) => mx?.[name]?.map((server, i) => ({ preference: 10 * (i + 1), host: server })));
  return {
    isValidating: false,
    text: async (name) => find(({ txt }) => txt?.[name]),
    mailServers,
    addresses: async (name) => find(({ addresses }) => addresses?.[name]),
    isNameAbsent: async () => false,
    validatedMailServers: async (name) => ({ found: await mailServers(name), isSecure: false }),
    tlsa: async () => ({ found: { kind: 'none' }, isSecure: false }),
    fetch: async () => ({ kind: 'rejected', reason: 'the host serves no such file' }),
    presented: async () => ({ kind: 'unasked' }),
  };
}
