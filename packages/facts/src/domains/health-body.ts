import type { ActionItem, DomainHealth, EmptyState } from '@dmarc-ledger/scoring';
import { protocols, type Link } from '@dmarc-ledger/vocabulary';
import type { Placement } from './placement.ts';

/** The stored part of a domain's health. */
export interface DomainHealthBody {
  health: DomainHealth;
  placement: Placement[];
}

type StoredOffer = { label: string; link?: Link; url?: string };
type StoredItem = Omit<ActionItem, 'link'> & { link?: Link; cta_url?: string };
type StoredState = EmptyState & { cta_url?: string };

/** Returns a stored body with its links as they are today: earlier versions stored the paths, in other fields. */
export function readHealthBody({ health, placement }: DomainHealthBody): DomainHealthBody {
  const read = { ...health.protocols };
  for (const protocol of protocols) {
    const { hostedCta, ...rest } = read[protocol];
    read[protocol] = { ...rest, hostedCta: hostedCta && readOffer(hostedCta) };
  }
  const emptyState = health.emptyState && readState(health.emptyState);
  const items = health.items.map(readItem);
  return { health: { ...health, protocols: read, items, further: health.further ?? [], emptyState }, placement };
}

function readOffer({ label, link, url = '' }: StoredOffer) {
  return { label, link: link ?? url };
}

function readItem({ link, cta_url: path = '', ...item }: StoredItem): ActionItem {
  return { ...item, link: link ?? path };
}

function readState({ cta_url: path, ...state }: StoredState): EmptyState {
  return path === undefined ? state : { ...state, link: path };
}
