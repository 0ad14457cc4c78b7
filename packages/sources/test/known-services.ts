/**
 * Sixty well-known services, as their mail appears in reports: share of a large organization's mail (of 10,000
 * messages), the name of a sending host that resolves back, the domains that pass DKIM and SPF (`-` for the customer's
 * own), the network. Some facts are missing: some services appear without PTR, some only by their signature.
 */
export interface KnownService {
  slug: string;
  messages: number;
  ptr?: string;
  dkim?: string;
  spf?: string;
  asn?: number;
}

const table = `
google-workspace | 1450 | mail-sor-f41.google.com | example-com.20230601.gappssmtp.com | - | 15169
google-workspace | 300 | mail-lf1-x12a.google.com | google.com | gmail.com | 15169
microsoft-365 | 1400 | mail-am6eur05on2082.outbound.protection.outlook.com | contoso.onmicrosoft.com | - | 8075
amazon-ses | 900 | a8-97.smtp-out.amazonses.com | amazonses.com | eu-west-1.amazonses.com | 16509
sendgrid | 620 | o1.ptr2410.sendgrid.net | sendgrid.net | - | 11377
mailchimp | 380 | mail55.sea31.mcsv.net | mcsv.net | mail55.sea31.mcsv.net | 14782
mailgun | 340 | m228-79.mailgun.net | mailgun.org | - | 396479
salesforce-marketing-cloud | 330 | mta3.e.exacttarget.com | - | bounce.s7.exacttarget.com | 22606
hubspot | 240 | n5.e1.eu1.hubspotemail.net | hubspotemail.net | bf08x.hubspotemail.net | 23528
mandrill | 220 | mail179-12.suw41.mandrillapp.com | mandrillapp.com | mandrillapp.com | 14782
postmark | 180 | sc-ord-mta82.mtasv.net | - | pm-bounces.mtasv.net | 16509
sparkpost | 170 | mta-70-86-36.sparkpostmail.com | - | bounces.sparkpostmail.com | 16509
brevo | 170 | ah.d.sender-sib.com | sender-sib.com | ah.d.sender-sib.com | 200484
mailjet | 160 | o54.p8.mailjet.com | - | bnc3.mailjet.com | 200069
zendesk | 160 | outbyoip5.pod19.euw1.zdsys.com | zendesk.com | - | 21880
salesforce | 150 | smtp11-fra.mta.salesforce.com | - | - | 14340
yahoo-mail | 150 | sonic314-20.consmr.mail.ne1.yahoo.com | yahoo.com | yahoo.com | 36646
apple-icloud | 140 | p00-icloudmta-asmtp-us-west-3a.me.com | icloud.com | icloud.com | 714
marketo | 120 | em-sj-08.mktomail.com | mktdns.com | - | 15224
constant-contact | 120 | ccm32.constantcontact.com | auth.ccsend.com | in.constantcontact.com | 40444
klaviyo | 120 | o5013.klaviyomail.com | - | klaviyomail.com | -
mimecast | 110 | eu-smtp-delivery-151.mimecast.com | - | - | 30031
proofpoint | 110 | mx0a-00112233.pphosted.com | - | - | 22843
zoho-mail | 90 | sender4-op-o12.zoho.com | zohomail.com | - | 2639
fastmail | 80 | out4-smtp.messagingengine.com | messagingengine.com | - | 209242
proton-mail | 80 | mail-40131.protonmail.ch | protonmail.com | - | 62371
activecampaign | 80 | s10.asp1.emsend2.com | acems1.com | - | -
shopify | 80 | o71.mailer.shopify.com | shopifyemail.com | - | -
intercom | 70 | - | intercom-mail.com | intercom-mail.com | 16509
freshdesk | 70 | - | freshdesk.com | fdmail.freshdesk.com | 16509
ovh | 60 | 8.mo575.mail-out.ovh.net | - | - | 16276
ionos | 60 | mout.kundenserver.de | - | - | 8560
barracuda | 60 | outbound-ip94a.ess.barracuda.com | - | - | 15324
mail-ru | 50 | smtp16.mail.ru | mail.ru | mail.ru | 47764
yandex-mail | 50 | forward101d.mail.yandex.net | yandex.ru | yandex.ru | 13238
gmx | 50 | mout.gmx.net | gmx.de | gmx.net | 8560
strato | 40 | mo4-p00-ob.smtp.rzone.de | - | - | 6724
godaddy | 40 | p3plsmtpa12-09.prod.phx3.secureserver.net | - | - | 26496
infomaniak | 40 | smtp-42a9.mail.infomaniak.ch | - | - | 29222
gandi | 40 | relay5-d.mail.gandi.net | - | - | 29169
aruba-it | 40 | smtpcmd0872.aruba.it | - | - | 31034
hostinger | 40 | eu-shared-1.hostinger.io | - | - | 47583
namecheap-private-email | 40 | mta-13.privateemail.com | - | - | 22612
improvmx | 40 | smtp-out-2.improvmx.com | improvmx.com | improvmx.com | -
github | 40 | out-21.smtp.github.com | github.com | github.com | 36459
atlassian | 40 | - | atlassian.net | bounces.atlassian.net | 16509
docusign | 40 | mail2.docusign.net | docusign.net | docusign.net | 62856
linkedin | 30 | mailc-fa.linkedin.com | linkedin.com | bounce.linkedin.com | 14413
facebook | 30 | 66-220-144-150.mail-mail.facebook.com | facebookmail.com | facebookmail.com | 32934
surveymonkey | 30 | - | surveymonkeyuser.com | - | -
eventbrite | 30 | - | eventbrite.com | - | -
stripe | 30 | - | stripe.com | - | -
xero | 30 | - | post.xero.com | - | -
getresponse | 30 | mail-73.getresponse.com | getresponse.com | - | -
campaign-monitor | 30 | mx2.cmail20.com | cmail20.com | - | -
aweber | 30 | omr2.aweber.com | aweber.com | aweber.com | -
smtp2go | 30 | e3i105.smtp2go.com | smtpservice.net | - | -
elastic-email | 30 | mx61.elasticemail.com | elasticemail.com | bounces.elasticemail.com | -
mailerlite | 30 | mta1.mlsend.com | mlsend.com | - | -
symantec-email-security | 30 | mail1.bemta34.messagelabs.com | - | - | 26282
google-groups | 30 | - | googlegroups.com | googlegroups.com | 15169
`;

export const knownServices: KnownService[] = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([slug = '', messages, ...cells]) => {
    const [ptr, dkim, spf, asn] = cells.map((cell) => (cell === '-' ? undefined : cell));
    return { slug, messages: Number(messages), ptr, dkim, spf, asn: asn === undefined ? undefined : Number(asn) };
  });
