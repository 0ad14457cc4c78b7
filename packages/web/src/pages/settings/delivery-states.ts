import type { DeliveryRow } from '@dmarc-ledger/queries';

type State = DeliveryRow['state'];

export const deliveryStates = [
  'received',
  'processing',
  'stored',
  'duplicate',
  'assigned',
  'refused',
  'quarantined',
] as const satisfies readonly State[];

/** What each state of a delivery means, and how serious it is. */
export const stateWords: { [state in State]: { label: string; tone: string } } = {
  received: { label: 'waiting', tone: 'neutral' },
  processing: { label: 'being read', tone: 'neutral' },
  stored: { label: 'stored', tone: 'success' },
  duplicate: { label: 'known already', tone: 'neutral' },
  assigned: { label: 'belongs to another organization', tone: 'neutral' },
  refused: { label: 'refused', tone: 'warning' },
  quarantined: { label: 'quarantined', tone: 'critical' },
};
