import type { SpfTerm } from './spf-tree.ts';
import { WIDE } from './survey-spf.ts';

/** True for `+all`, where receivers come to it. */
export function passesAnybody({ name, qualifier, state }: SpfTerm): boolean {
  return name === 'all' && qualifier === '+' && state !== 'ignored';
}

/** True for a term by which anybody passes, other than `+all`: what else is needed cannot be seen beside it. */
export function isWide(term: SpfTerm): boolean {
  if (term.qualifier !== '+' || term.name === 'all' || term.state === 'ignored') return false;
  return term.networks.some(isWideNetwork) || term.terms.some((below) => passesAnybody(below) || isWide(below));
}

/** True for a network that the check of the record warns of. */
function isWideNetwork(network: string): boolean {
  const prefix = Number(network.slice(network.indexOf('/') + 1));
  return prefix < (network.includes(':') ? WIDE.six : WIDE.four);
}
