import { counted, type Day, type DkimKeyKind } from '@dmarc-ledger/vocabulary';

/** A key by which no mail can pass. */
type GoneKind = Extract<DkimKeyKind, 'absent' | 'revoked' | 'unusable'>;

interface Name {
  selector: string;
}
interface Overlap extends Name {
  /** The selector before. */
  old: string;
  from: Day;
  to: Day;
}

/** The sentences about DKIM keys. (rules, dkim-keys/findings) */
export const keyTexts = {
  usedButGone: ({ selector, kind }: Name & { kind: GoneKind }) =>
    `Mail is signed with selector ${selector}, but ${GONE[kind]}`,
  weakKey: ({ selector, bits }: Name & { bits: number }) =>
    `The key of selector ${selector} has ${bits} bits: replace it by one of 2048 bits.`,
  weakKeyOfService: ({ selector, bits }: Name & { bits: number }) =>
    `The key of selector ${selector} has ${bits} bits. It is of a service: have the service sign with one of 2048 ` +
    `bits.`,
  testMode: ({ selector }: Name) =>
    `The key of selector ${selector} is in test mode: remove t=y, or receivers may treat its mail as unsigned.`,
  rotationDue: ({ selector, days, most }: Name & { days: number; most: number }) =>
    `The key of selector ${selector} is at least ${counted(days, 'day')} old: replace keys every ` +
    `${counted(most, 'day')}, with a new selector beside the old one.`,
  rotationDueByService: ({ selector, days }: Name & { days: number }) =>
    `The key of selector ${selector} is at least ${counted(days, 'day')} old. It is of a service, which alone can ` +
    `replace it: start a rotation there, if the service does not do so by itself.`,
  publishedUnused: ({ selector, days }: Name & { days: number }) =>
    `No mail passed with selector ${selector} for ${counted(days, 'day')}, but its key is still published: remove it ` +
    `once nothing signs with it. A CNAME record of a service that you use stays, as the service may sign with it ` +
    `again.`,
  unusedByService: ({ selector, days }: Name & { days: number }) =>
    `No mail passed with selector ${selector} for ${counted(days, 'day')}. It is of a service, which may sign with ` +
    `it again: leave its record published while you use the service.`,
  rotated: ({ selector, old, from, to }: Overlap) =>
    `Selector ${selector} took over from ${old}: both were in use from ${from} to ${to}.`,
  rotating: ({ selector, old, from }: Overlap) =>
    `Selector ${selector} is taking over from ${old}: both are in use since ${from}.`,
} as const;

const GONE: { readonly [kind in GoneKind]: string } = {
  absent: 'no key is published for it: publish the key, or stop signing with it.',
  revoked:
    'its key is revoked: sign with a new key at a new selector, and publish the old one again only if the ' +
    'revocation was a mistake.',
  unusable: 'its key cannot be used: correct the record, or sign with another key.',
};
