import { microsoft365, sendGrid } from '../hosts.ts';
import type { SampleStory } from '../sample-domain.ts';
import { ownMail, range, weekly } from '../streams.ts';
import { dkimKey } from '../zone.ts';

const NAME = 'harbor-clinic.example';
const hosted = range('192.0.2.', 80, 6);
const platform = range('192.0.2.', 120, 3);

/** A clinic whose mail is all set up and whose policy is still none: it is ready for enforcement. */
export const harborClinic: SampleStory = {
  name: NAME,
  policyOn: () => ({ policy: 'none', subdomainPolicy: 'none', failureOptions: '1' }),
  reporters: 3,
  streams: [
    { volume: weekly(480, 90), sources: hosted, spread: 2, judge: ownMail(NAME, 'selector1') },
    {
      volume: ({ weekday }) => (weekday === 1 ? 900 : 20),
      sources: platform,
      spread: 1,
      judge: ownMail(NAME, 's1', `em.${NAME}`),
    },
  ],
  zone: {
    txt: {
      [`_dmarc.${NAME}`]: [`v=DMARC1; p=none; fo=1; rua=mailto:dmarc@${NAME}`],
      [NAME]: ['v=spf1 include:spf.protection.outlook.com -all'],
      'spf.protection.outlook.com': ['v=spf1 ip4:192.0.2.80/29 -all'],
      [`em.${NAME}`]: ['v=spf1 include:sendgrid.net -all'],
      'sendgrid.net': ['v=spf1 ip4:192.0.2.120/29 ~all'],
      [`selector1._domainkey.${NAME}`]: [dkimKey],
      [`s1._domainkey.${NAME}`]: [dkimKey],
      [`_smtp._tls.${NAME}`]: [`v=TLSRPTv1; rua=mailto:dmarc@${NAME}`],
    },
    mx: { [NAME]: ['harborclinic-example.mail.protection.outlook.com'] },
  },
  hosts: [microsoft365(hosted), sendGrid(platform)],
};
