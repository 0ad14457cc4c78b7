import type { NotificationRow, Target } from '@dmarc-ledger/ledger';
import { idText, instantText, shownAddress } from '@dmarc-ledger/vocabulary';
import type { Row } from '../print.ts';

/** A target, without its secret. */
export function targetJson(target: Target) {
  return {
    id: idText(target.id),
    kind: target.kind,
    address: shownAddress(target.kind, target.address),
    types: target.types,
    min_severity: target.least_severity,
    state: target.enabled ? 'on' : 'off',
    code: target.disabled_code,
    created: instantText(target.created_at),
  };
}

/** The same as one row. */
export function targetRow(target: Target): Row {
  const { types, ...rest } = targetJson(target);
  return { ...rest, types: types.join(',') || 'all' };
}

/** One event, and the outcome of sending it to a target. */
export function notificationJson(row: NotificationRow) {
  const instant = (value: Date | null) => value && instantText(value);
  return {
    id: idText(row.id),
    event: idText(row.event_id),
    type: row.type,
    title: row.title,
    state: row.state,
    tries: row.tries,
    status: row.answer_status,
    code: row.error_code,
    planned: instant(row.planned_at),
    tried: instant(row.tried_at),
    delivered: instant(row.delivered_at),
    next_try: row.state === 'waiting' || row.state === 'failed' ? instant(row.due_at) : null,
  };
}
