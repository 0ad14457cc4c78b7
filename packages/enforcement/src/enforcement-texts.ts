import { counted } from '@dmarc-ledger/vocabulary';
import type { AffectedSender } from './what-if.ts';
import { stepRules, type EnforcementStep } from './step.ts';
import { serviceSettings } from './service-settings.ts';

interface Judged {
  domain: string;
  days: number;
}
interface AboutStep extends Judged {
  step: EnforcementStep;
  /** The tags to publish. */
  tags: string;
  messages: number;
}
interface Others extends Pick<AboutStep, 'step' | 'messages'> {
  senders: number;
}

/** Every sentence of the what-if. (rules, enforcement/verdict; rules, enforcement/fixes) */
export const enforcementTexts = {
  verdict: {
    ready: 'ready',
    notEnough: 'not enough data',
    pending: 'being computed',
    fixes: ({ fixes }: { fixes: number }) => `ready after ${counted(fixes, 'fix', 'fixes')}`,
  },
  notEnough: ({ messages, reportDays, days, least }: Omit<AboutStep, 'step' | 'tags' | 'domain'> & LeastData) =>
    `${counted(messages, 'message')} on ${counted(reportDays, 'day')} with reports in the last ${days} days are too ` +
    `few to judge: ${least.messages} messages on ${least.days} days are needed.`,
  silent: ({ days }: { days: number }) =>
    `No report is about the last ${counted(days, 'day')}: what fails now is not known, so nothing is advised until reports arrive again.`,
  ready: ({ domain, step, tags, days }: Omit<AboutStep, 'messages'>) =>
    `${domain} may publish ${tags}: in the last ${days} days it would have ${affected(step)} no mail ` +
    `that is yours or looks like yours.`,
  /** Mail that forwarders and mailing lists pass on; people of the domain may have written it. (RFC 9989, 7.4) */
  forwarded: ({ step, messages, senders }: Others) =>
    `${counted(messages, 'message')} of ${counted(senders, 'forwarder')} would have been ${affected(step)}, which may be ` +
    `mail of yours that others pass on${step === 'quarantine' || step === 'strict' ? '' : ': the standard advises against reject where people write to mailing lists'}.`,
  notOurs: ({ step, messages, senders }: Others) =>
    `${counted(messages, 'message')} of ${counted(senders, 'sender')} that you decided ${senders === 1 ? 'is' : 'are'} not yours would have been ${affected(step)}, as intended.`,
  undecided: ({ step, messages, senders }: Others) =>
    `${counted(messages, 'message')} of ${counted(senders, 'undecided sender')} would have been ${affected(step)}: ` +
    `${senders === 1 ? 'it has never passed and sends little' : 'they have never passed, and each sends little'}, so look whether ${senders === 1 ? 'it is' : 'any is'} yours.`,
  fixes: ({ domain, step, tags, days, messages, fixes }: AboutStep & { fixes: number }) =>
    `Before ${domain} publishes ${tags}, look at ${counted(fixes, 'sender')}: in the last ${days} days ` +
    `${counted(messages, 'message')} of ${fixes === 1 ? 'it' : 'them'} would have been ${stepRules[step].done}.`,
  done: ({ domain }: { domain: string }) =>
    `${domain} asks receivers to reject failing mail, of its subdomains too: there is no stricter policy.`,
} as const;

interface LeastData {
  reportDays: number;
  least: { messages: number; days: number };
}

function affected(step: EnforcementStep): string {
  return step === 'strict' ? 'made fail' : stepRules[step].done;
}

/** What to do about a sender that a step affects: which record, and which setting at the service. */
export function fixOf(
  domain: string,
  step: EnforcementStep,
  {
    decision,
    slug,
    name,
    isForwarder,
    isBlocker,
  }: Pick<AffectedSender, 'decision' | 'slug' | 'name' | 'isForwarder' | 'isBlocker'>,
): string {
  if (decision === 'not_ours') return 'Nothing to do: the policy is meant for this mail.';
  const isRelay = decision === 'forwarder' || (decision === null && isForwarder);
  if (isRelay && step === 'strict') return `Nothing to do at ${name}, which forwards mail: keep adkim=r if it matters.`;
  if (isRelay)
    return `Nothing to publish: ${name} forwards mail. A DKIM signature of ${domain} on the original mail survives most forwarding.`;
  const repair = step === 'strict' ? alignExactly(domain, slug, name) : authenticate(domain, slug, name);
  if (decision === 'ours') return repair;
  return isBlocker
    ? `Decide whether ${name} sends for you. If it does, authenticate it. ${repair}`
    : `Nothing passed from ${name} so far, so it is probably not yours. If it is, authenticate it. ${repair}`;
}

function authenticate(domain: string, slug: string | null, name: string): string {
  if (slug === null)
    return (
      `On the servers in ${name}, sign with DKIM as ${domain} and publish the key at selector._domainkey.${domain}, or ` +
      `name their addresses, never the whole network, in the SPF record of the envelope sender's domain, which must be ${domain} or below it.`
    );
  const setting = serviceSettings[slug];
  if (!setting)
    return `At ${name}, turn on DKIM signing as ${domain} in the settings of the sending domain, and publish the DKIM records that it shows below _domainkey.${domain}.`;
  return `At ${name}, open ${setting.menu}, and publish ${setting.record.replaceAll('{domain}', domain)}.`;
}

function alignExactly(domain: string, slug: string | null, name: string): string {
  const where = slug === null ? `On the servers in ${name}` : `At ${name}`;
  return `${where}, sign with a d= that is exactly the From domain (${domain}, or its subdomain), or keep adkim=r and aspf=r.`;
}
