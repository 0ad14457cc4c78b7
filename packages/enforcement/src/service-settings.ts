/** Where a service has the setting that makes it sign as its customer, and the record that belongs to it. */
export interface ServiceSetting {
  /** The way through its menus. */
  menu: string;
  /** What to publish; `{domain}` is the customer's domain. */
  record: string;
}

const cname = (...selectors: string[]) =>
  `CNAME records at ${selectors.map((selector) => `${selector}._domainkey.{domain}`).join(' and ')}`;
const txt = (selector: string) => `a TXT record at ${selector}._domainkey.{domain}`;
const shown = 'the CNAME records that it shows below _domainkey.{domain}';
const shownTxt = 'the TXT record that it shows below _domainkey.{domain}';

/** By slug; from the services' own instructions. Menus change: the words are what to look for. */
export const serviceSettings: { readonly [slug: string]: ServiceSetting | undefined } = {
  activecampaign: { menu: 'Settings > Advanced > Domain authentication', record: cname('acdkim1', 'acdkim2') },
  'amazon-ses': {
    menu: 'Verified identities > Easy DKIM',
    record: `the three CNAME records that it shows below _domainkey.{domain}`,
  },
  'apple-icloud': { menu: 'Custom Email Domain', record: cname('sig1') },
  brevo: { menu: 'Senders, Domains & Dedicated IPs > Domains', record: cname('brevo1', 'brevo2') },
  'campaign-monitor': { menu: 'Account settings > Sending domains', record: txt('cm') },
  'constant-contact': { menu: 'Account settings > Advanced > Self-authentication', record: cname('ctct1', 'ctct2') },
  'customer-io': { menu: 'Workspace settings > Email > Sending domains', record: shownTxt },
  fastmail: { menu: 'Settings > Domains', record: cname('fm1', 'fm2', 'fm3') },
  freshdesk: { menu: 'Admin > Email > DKIM', record: shown },
  'google-workspace': { menu: 'Admin console > Apps > Gmail > Authenticate email', record: txt('google') },
  'help-scout': { menu: 'Manage > Domains', record: shown },
  hubspot: { menu: 'Settings > Domains & URLs > Email sending', record: shown },
  intercom: { menu: 'Settings > Channels > Email > Domains', record: cname('intercom') },
  klaviyo: { menu: 'Settings > Domains > Branded sending domain', record: shown },
  mailchimp: { menu: 'Account > Domains > Authenticate', record: cname('k2', 'k3') },
  mailerlite: { menu: 'Account settings > Domains', record: cname('litesrv') },
  mailersend: { menu: 'Domains > Manage', record: cname('mlsend2') },
  mailgun: { menu: 'Sending > Domains > DNS records', record: shownTxt },
  mailjet: { menu: 'Account settings > Sender domains & addresses', record: txt('mailjet') },
  mandrill: { menu: 'Settings > Domains > Sending domains', record: cname('mte1', 'mte2') },
  'microsoft-365': { menu: 'Defender > Email authentication settings > DKIM', record: cname('selector1', 'selector2') },
  postmark: { menu: 'Sender Signatures > DNS settings', record: shownTxt },
  'proton-mail': { menu: 'Settings > Domain names > DKIM', record: cname('protonmail', 'protonmail2', 'protonmail3') },
  salesforce: { menu: 'Setup > Email > DKIM Keys', record: shown },
  'salesforce-marketing-cloud': { menu: 'Setup > Sender Authentication Package', record: shownTxt },
  sendgrid: { menu: 'Settings > Sender Authentication > Authenticate your domain', record: cname('s1', 's2') },
  shopify: { menu: 'Settings > Notifications > Sender email', record: shown },
  sparkpost: { menu: 'Configuration > Domains > Sending domains', record: shownTxt },
  stripe: { menu: 'Settings > Business > Customer emails > Custom domain', record: shown },
  zendesk: { menu: 'Admin Center > Channels > Email > Custom domain for DKIM', record: cname('zendesk1', 'zendesk2') },
  'zoho-mail': { menu: 'Admin Console > Domains > Email configuration > DKIM', record: shownTxt },
};
