import { sendGrid } from '../hosts.ts';
import type { SampleStory } from '../sample-domain.ts';
import { ownMail, range } from '../streams.ts';
import { testedDkimKey } from '../zone.ts';

const NAME = 'news.tidewater.example';
const platform = range('192.0.2.', 216, 2);

/** A subdomain without a record of its own: the policy of its parent applies to it. */
export const newsTidewater: SampleStory = {
  name: NAME,
  policyOn: () => ({ policy: 'none', subdomainPolicy: 'none', failureOptions: '0' }),
  reporters: 1,
  isFound: true,
  streams: [
    {
      volume: ({ weekday }) => (weekday === 5 ? 700 : 0),
      sources: platform,
      spread: 2,
      judge: ownMail(NAME, 's2', `bounce.${NAME}`),
    },
  ],
  zone: {
    txt: {
      '_dmarc.tidewater.example': ['v=DMARC1; p=none; rua=mailto:dmarc@tidewater.example'],
      [NAME]: ['v=spf1 -all'],
      [`bounce.${NAME}`]: ['v=spf1 include:sendgrid.net -all'],
      'sendgrid.net': ['v=spf1 ip4:192.0.2.216/30 ~all'],
      [`s2._domainkey.${NAME}`]: [testedDkimKey],
    },
  },
  hosts: [sendGrid(platform)],
};
