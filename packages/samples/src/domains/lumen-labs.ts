import { googleWorkspace } from '../hosts.ts';
import type { SampleStory } from '../sample-domain.ts';
import { ownMail, range, weekly } from '../streams.ts';
import { dkimKey } from '../zone.ts';

const NAME = 'lumen-labs.example';
const SILENT_DAYS = 6;
const google = range('198.51.100.', 210, 3);

/** A laboratory whose record disappeared when its DNS moved: since then no reports arrive. */
export const lumenLabs: SampleStory = {
  name: NAME,
  policyOn: () => ({ policy: 'none', subdomainPolicy: 'none', failureOptions: '0' }),
  reporters: 2,
  silentDays: SILENT_DAYS,
  isFound: true,
  streams: [{ volume: weekly(140, 20), sources: google, spread: 1, judge: ownMail(NAME, 'google') }],
  zone: {
    txt: {
      [NAME]: ['v=spf1 include:_spf.google.com ~all'],
      '_spf.google.com': ['v=spf1 ip4:198.51.100.208/29 ~all'],
      [`google._domainkey.${NAME}`]: [dkimKey],
    },
    mx: { [NAME]: ['smtp.google.com'] },
  },
  history: [
    {
      daysAgo: 50,
      subject: 'dmarc',
      status: 'warning',
      details: 'The DMARC policy is none, so failing mail is still delivered.',
      records: [`v=DMARC1; p=none; rua=mailto:dmarc@${NAME}`],
    },
    { daysAgo: SILENT_DAYS, subject: 'dmarc', status: 'error', details: 'No DMARC record is published.', records: [] },
  ],
  hosts: [googleWorkspace(google)],
};
