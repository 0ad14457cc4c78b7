import { evidenceStrength, type Finding, type MailGroup } from './evidence.ts';
import type { SenderMatch } from './sender-matcher.ts';

type Kind = 'dkim' | 'spf';

/**
 * Returns the services whose identity passed in at least half of the messages, those with most messages first, then by
 * slug. A message with two identities of one service counts once. (rules, senders/matching-of-names)
 */
export function findIdentities(
  kind: Kind,
  mail: readonly MailGroup[],
  find: (domain: string) => SenderMatch | undefined,
): Finding[] {
  const findings = new Map<string, Finding & { messages: number }>();
  let total = 0;
  for (const group of mail) {
    total += group.messages;
    const counted = new Set<string>();
    for (const domain of group[kind]) {
      const match = find(domain);
      if (!match || counted.has(match.value.slug)) continue;
      counted.add(match.value.slug);
      const finding = findings.get(match.value.slug) ?? begin(kind, domain, match);
      finding.messages += group.messages;
      findings.set(match.value.slug, finding);
    }
  }
  return [...findings.values()]
    .filter(({ messages }) => messages > 0 && messages * 2 >= total)
    .sort((a, b) => b.messages - a.messages || (a.slug < b.slug ? -1 : 1));
}

function begin(kind: Kind, seen: string, { suffix, value }: SenderMatch): Finding & { messages: number } {
  return {
    evidence: kind,
    strength: evidenceStrength[kind],
    slug: value.slug,
    seen,
    entry: suffix,
    messages: 0,
    sender: value,
  };
}
