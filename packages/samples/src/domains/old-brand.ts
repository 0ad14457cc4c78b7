import { botnet } from '../hosts.ts';
import type { SampleStory } from '../sample-domain.ts';
import { range, spoofed } from '../streams.ts';

const NAME = 'old-brand.example';
const strangers = range('203.0.113.', 225, 10);

/** A name that sends no mail and is locked; now and then somebody forges it, and receivers reject that. */
export const oldBrand: SampleStory = {
  name: NAME,
  policyOn: () => ({ policy: 'reject', subdomainPolicy: 'reject', failureOptions: '0' }),
  reporters: 2,
  streams: [
    {
      volume: ({ day }) => (day % 4 === 1 ? 12 : 0),
      sources: strangers,
      spread: 2,
      judge: spoofed(NAME, ['example.net', 'vps.example.org']),
    },
  ],
  zone: {
    txt: {
      [`_dmarc.${NAME}`]: [`v=DMARC1; p=reject; sp=reject; rua=mailto:dmarc@agency.example`],
      [NAME]: ['v=spf1 -all'],
      [`*._domainkey.${NAME}`]: ['v=DKIM1; p='],
    },
    mx: { [NAME]: [''] },
  },
  hosts: botnet(strangers),
};
