import type { DnsFact } from './dns-fact.ts';
import { MAX_ALIASES } from './limits.ts';

/** Follows an alias that a resolver leaves open, such as one that only knows its own zones. */
export async function followAliases(name: string, ask: (name: string) => Promise<DnsFact>): Promise<DnsFact> {
  const aliases: string[] = [];
  let ttl = Infinity;
  for (let target = name; ;) {
    const fact = await ask(target);
    if (fact.outcome !== 'alias') return withAliases(fact, aliases, ttl);
    aliases.push(...fact.aliases);
    ttl = Math.min(ttl, fact.ttl);
    target = fact.target;
    const isLoop = target === name || aliases.indexOf(target) < aliases.length - 1;
    if (isLoop || aliases.length > MAX_ALIASES)
      return { outcome: 'alias_limit', detail: `more than ${MAX_ALIASES} aliases, or a loop` };
  }
}

/** Turns the fact about the last name into one about the first. */
function withAliases(fact: DnsFact, before: readonly string[], ttl: number): DnsFact {
  if (before.length === 0 || !('aliases' in fact)) return fact;
  const aliases = [...before, ...fact.aliases];
  return fact.outcome === 'answer' ? { ...fact, aliases, ttl: Math.min(ttl, fact.ttl) } : { ...fact, aliases };
}
