import type { DomainHealth } from '@dmarc-ledger/scoring';
import type { Placement } from './placement.ts';

/** The stored part of a domain's health. */
export interface DomainHealthBody {
  health: DomainHealth;
  placement: Placement[];
}
