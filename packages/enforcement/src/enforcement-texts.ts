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
    noRecord: 'no valid record',
    fixes: ({ fixes }: { fixes: number }) => `ready after ${counted(fixes, 'fix', 'fixes')}`,
  },
  noRecord: ({ domain }: Pick<Judged, 'domain'>) =>
    `${domain} publishes no DMARC record, so no policy applies: publish one with p=none first, and reports arrive.`,
  brokenRecord: ({ domain }: Pick<Judged, 'domain'>) =>
    `What ${domain} publishes is no valid DMARC record, so receivers apply no policy: correct it first.`,
  notEnough: ({ messages, reportDays, days, least }: Omit<AboutStep, 'step' | 'tags' | 'domain'> & LeastData) =>
    `${counted(messages, 'message')} on ${counted(reportDays, 'day')} with reports in the last ${days} days are too ` +
    `few to judge: ${least.messages} messages on ${least.days} days are needed.`,
  silent: ({ days }: { days: number }) =>
    `No report is about the last ${counted(days, 'day')}: what fails now is not known, so nothing is advised until ` +
    `reports arrive again.`,
  ready: ({ domain, step, tags, days }: Omit<AboutStep, 'messages'>) =>
    `${domain} may publish ${tags}: in the last ${days} days it would have ${affected(step)} no mail ` +
    `that is yours or looks like yours.`,
  /** Mail that forwarders and mailing lists pass on; people of the domain may have written it. (RFC 9989, 7.4) */
  forwarded: ({ step, messages, senders }: Others) =>
    `${counted(messages, 'message')} of ${counted(senders, 'forwarder')} would have been ${affected(step)}, which ` +
    `may be mail of yours that others pass on${
      step === 'quarantine' || step === 'strict'
        ? ''
        : ': the standard advises against reject where people write to mailing lists'
    }.`,
  notOurs: ({ step, messages, senders }: Others) =>
    `${counted(messages, 'message')} of ${counted(senders, 'sender')} that you decided ` +
    `${senders === 1 ? 'is' : 'are'} not yours would have been ${affected(step)}, as intended.`,
  undecided: ({ step, messages, senders }: Others) =>
    `${counted(messages, 'message')} of ${counted(senders, 'undecided sender')} would have been ${affected(step)}: ` +
    `${
      senders === 1 ? 'it has never passed and sends little' : 'they have never passed, and each sends little'
    }, so look whether ${senders === 1 ? 'it is' : 'any is'} yours.`,
  fixes: ({ domain, step, tags, days, messages, fixes }: AboutStep & { fixes: number }) =>
    `Before ${domain} publishes ${tags}, look at ${counted(fixes, 'sender')}: in the last ${days} days ` +
    `${counted(messages, 'message')} of ${fixes === 1 ? 'it' : 'them'} would have been ${stepRules[step].done}.`,
  /** Own mail that the policy of today has receivers reject. */
  refused: ({ days, messages, senders }: { days: number; messages: number; senders: number }) =>
    `But in the last ${days} days receivers rejected ${counted(messages, 'message')} of ` +
    `${counted(senders, 'sender')} that ${senders === 1 ? 'is yours or looks' : 'are yours or look'} like it: repair ` +
    `${senders === 1 ? 'it' : 'them'} first.`,
  /** A record below the organizational domain says nothing of further names. (RFC 9989, 4.10) */
  doneBelow: ({ domain }: { domain: string }) =>
    `${domain} asks receivers to reject failing mail: there is no stricter policy. Names below it follow the record of ` +
    `its organizational domain.`,
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

interface Fixed extends Pick<
  AffectedSender,
  'decision' | 'suggestion' | 'passingSince' | 'slug' | 'name' | 'isForwarder' | 'isBlocker'
> {
  domain: string;
  step: EnforcementStep;
  /** Selectors of the domain with a key that is published. */
  selectors: readonly string[];
  /** True if the record asks for strict alignment, by `adkim=s` or `aspf=s`. */
  isStrict: boolean;
}

/** What to do about a sender that a step affects: which record, and which setting at the service. */
export function fixOf(sender: Fixed): string {
  const { domain, step, decision, suggestion, name, isForwarder, isBlocker } = sender;
  if (decision === 'not_ours') return 'Nothing to do: the policy is meant for this mail.';
  const isRelay = decision === 'forwarder' || (decision === null && isForwarder);
  if (isRelay && step === 'strict') return `Nothing to do at ${name}, which forwards mail: keep adkim=r if it matters.`;
  if (isRelay) return `Nothing to publish: ${name} forwards mail. ${survives(domain)}`;
  const repair = step === 'strict' ? alignExactly(sender) : authenticate(sender) + exactly(sender);
  const said = waiting(sender) + repair;
  if (decision === 'ours') return said;
  if (suggestion === 'forwarder')
    return (
      `Decide whether ${name} forwards mail, as most that fails looks: then nothing is to be published. ` +
      `${survives(domain)} If it sends for you itself, authenticate it. ${said}`
    );
  if (suggestion === 'not_ours')
    return (
      `Decide whether ${name} is a stranger, as most that fails looks forged: then the policy is meant for this ` +
      `mail. If it sends for you, authenticate it. ${said}`
    );
  return isBlocker
    ? `Decide whether ${name} sends for you. If it does, authenticate it. ${said}`
    : `Nothing passed from ${name} so far, so it is probably not yours. If it is, authenticate it. ${said}`;
}

/** (RFC 9989, 4.4) */
function exactly({ isStrict, slug }: Fixed): string {
  if (!isStrict) return '';
  const what = slug === null ? "d=, or the envelope sender's domain," : 'd=';
  return (
    ` The record asks for strict alignment, so ${what} must be exactly the domain of the From field, which may be a ` +
    'subdomain.'
  );
}

const survives = (domain: string) => `A DKIM signature of ${domain} on the original mail survives most forwarding.`;

/** From so many messages on, mail that passes since the last failure may be a repair. */
const FEWEST_SINCE = 20;

function waiting({ step, passingSince: since }: Fixed): string {
  if (step === 'strict' || !since || since.messages < FEWEST_SINCE) return '';
  return (
    `Nothing of it has failed since ${since.lastFailed}, and ${counted(since.messages, 'message')} passed: if it was ` +
    'repaired, wait until the failures are older than the window. '
  );
}

function authenticate({ domain, slug, name, selectors }: Fixed): string {
  if (slug === null)
    return (
      `On the servers in ${name}, sign with DKIM as ${domain} and publish the key at selector._domainkey.${domain}, ` +
      `or name their addresses, never the whole network, in the SPF record at exactly the envelope sender's domain, ` +
      `which must be ${domain} or of the same organizational domain.`
    );
  const setting = serviceSettings[slug];
  if (!setting)
    return (
      `At ${name}, turn on DKIM signing as ${domain} in the settings of the sending domain, and publish the ` +
      `DKIM records that it shows below _domainkey.${domain}.`
    );
  const taken = setting.selectors.find((selector) => selectors.includes(selector));
  const clash =
    taken === undefined
      ? ''
      : ` A key is published at ${taken}._domainkey.${domain} already: if it is not of ${name}, leave it, and have ` +
        `${name} sign with another selector.`;
  return `At ${name}, open ${setting.menu}, and publish ${setting.record.replaceAll('{domain}', domain)}.${clash}`;
}

function alignExactly({ domain, slug, name }: Fixed): string {
  const where = slug === null ? `On the servers in ${name}` : `At ${name}`;
  return (
    `${where}, sign with a d= that is exactly the From domain (${domain}, or its subdomain), or keep adkim=r ` +
    `and aspf=r.`
  );
}
