/** Where a service has the setting that makes it sign as its customer, and the record that belongs to it. */
export interface ServiceSetting {
  /** The way through its menus. */
  menu: string;
  /** What to publish; `{domain}` is the customer's domain. */
  record: string;
  /** The selectors that it names itself. */
  selectors: readonly string[];
}

type Records = Pick<ServiceSetting, 'record' | 'selectors'>;

const cname = (...selectors: string[]): Records => ({
  record: `CNAME records at ${selectors.map((selector) => `${selector}._domainkey.{domain}`).join(' and ')}`,
  selectors,
});
const txt = (selector: string): Records => ({
  record: `a TXT record at ${selector}._domainkey.{domain}`,
  selectors: [selector],
});
const shown: Records = { record: 'the CNAME records that it shows below _domainkey.{domain}', selectors: [] };
const shownTxt: Records = { record: 'the TXT record that it shows below _domainkey.{domain}', selectors: [] };
const shownThree: Records = {
  record: 'the three CNAME records that it shows below _domainkey.{domain}',
  selectors: [],
};

/** By slug; from the services' own instructions. Menus change: the words are what to look for. */
export const serviceSettings: { readonly [slug: string]: ServiceSetting | undefined } = {
  activecampaign: { menu: 'Settings > Advanced > Domain authentication', ...cname('acdkim1', 'acdkim2') },
  'amazon-ses': {
    menu: 'Verified identities > Easy DKIM',
    ...shownThree,
  },
  'apple-icloud': { menu: 'Custom Email Domain', ...cname('sig1') },
  brevo: { menu: 'Senders, Domains & Dedicated IPs > Domains', ...cname('brevo1', 'brevo2') },
  'campaign-monitor': { menu: 'Account settings > Sending domains', ...txt('cm') },
  'constant-contact': { menu: 'Account settings > Advanced > Self-authentication', ...cname('ctct1', 'ctct2') },
  'customer-io': { menu: 'Workspace settings > Email > Sending domains', ...shownTxt },
  fastmail: { menu: 'Settings > Domains', ...cname('fm1', 'fm2', 'fm3') },
  freshdesk: { menu: 'Admin > Email > DKIM', ...shown },
  'google-workspace': { menu: 'Admin console > Apps > Gmail > Authenticate email', ...txt('google') },
  'help-scout': { menu: 'Manage > Domains', ...shown },
  hubspot: { menu: 'Settings > Domains & URLs > Email sending', ...shown },
  intercom: { menu: 'Settings > Channels > Email > Domains', ...cname('intercom') },
  klaviyo: { menu: 'Settings > Domains > Branded sending domain', ...shown },
  mailchimp: { menu: 'Account > Domains > Authenticate', ...cname('k2', 'k3') },
  mailerlite: { menu: 'Account settings > Domains', ...cname('litesrv') },
  mailersend: { menu: 'Domains > Manage', ...cname('mlsend2') },
  mailgun: { menu: 'Sending > Domains > DNS records', ...shownTxt },
  mailjet: { menu: 'Account settings > Sender domains & addresses', ...txt('mailjet') },
  mandrill: { menu: 'Settings > Domains > Sending domains', ...cname('mte1', 'mte2') },
  'microsoft-365': { menu: 'Defender > Email authentication settings > DKIM', ...cname('selector1', 'selector2') },
  postmark: { menu: 'Sender Signatures > DNS settings', ...shownTxt },
  'proton-mail': { menu: 'Settings > Domain names > DKIM', ...cname('protonmail', 'protonmail2', 'protonmail3') },
  salesforce: { menu: 'Setup > Email > DKIM Keys', ...shown },
  'salesforce-marketing-cloud': { menu: 'Setup > Sender Authentication Package', ...shownTxt },
  sendgrid: { menu: 'Settings > Sender Authentication > Authenticate your domain', ...cname('s1', 's2') },
  shopify: { menu: 'Settings > Notifications > Sender email', ...shown },
  sparkpost: { menu: 'Configuration > Domains > Sending domains', ...shownTxt },
  stripe: { menu: 'Settings > Business > Customer emails > Custom domain', ...shown },
  zendesk: { menu: 'Admin Center > Channels > Email > Custom domain for DKIM', ...cname('zendesk1', 'zendesk2') },
  'zoho-mail': { menu: 'Admin Console > Domains > Email configuration > DKIM', ...shownTxt },
};
