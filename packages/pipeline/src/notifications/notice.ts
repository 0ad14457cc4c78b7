import type { BegunTry } from '@dmarc-ledger/ledger';
import {
  alertSeverities,
  alertTypes,
  type EventSeverity,
  idText,
  instantText,
  pathIn,
  newId,
  pathOf,
  printableText,
} from '@dmarc-ledger/vocabulary';

/** The content of a notification of one event: the body of a webhook, and the facts of a mail. */
export interface Notice {
  id: string;
  /** A code of `/enums`, or `test`. */
  type: string;
  type_label: string;
  severity: EventSeverity;
  title: string;
  message: string;
  /** Empty: about the whole organization. */
  domain: string;
  /** Only a path where APP_URL is not set. */
  link: string;
  created_at: string;
  organization_id: string;
  organization_name: string;
}

/** The notice of an event, as it was when the notification was planned. */
export function noticeOf(
  { orgId, orgName, event }: Pick<BegunTry, 'orgId' | 'orgName' | 'event'>,
  appUrl = '',
): Notice {
  const { id, type, severity, title, message, domain, link, createdAt } = event;
  return {
    id: idText(id),
    type,
    type_label: alertTypes.find(({ code }) => code === type)?.label ?? type,
    severity,
    title,
    message,
    domain,
    link: `${appUrl}${pathIn(orgId, link)}`,
    created_at: instantText(createdAt),
    organization_id: idText(orgId),
    organization_name: orgName,
  };
}

/** The notice of a test of a target. */
export function testNotice({ id: orgId, name: orgName }: { id: string; name: string }, appUrl = ''): Notice {
  const event = {
    id: newId(),
    type: 'test',
    severity: 'info' as const,
    title: 'Test of DMARC Ledger',
    message: 'Nothing has happened. Somebody wanted to see that events arrive here.',
    domain: '',
    link: pathOf({ page: 'home' }),
    createdAt: new Date(),
  };
  return { ...noticeOf({ orgId, orgName, event }, appUrl), type_label: 'Test' };
}

const LONGEST_LINE = 2_000;

/** The notice as plain text for a mail. Each text from outside stays on its own line. */
export function noticeText(notice: Notice): string {
  const { title, message, severity, type_label, domain, link, created_at, organization_name } = notice;
  const label = alertSeverities.find(({ code }) => code === severity)?.label ?? severity;
  return [
    printableText(title, LONGEST_LINE),
    '',
    printableText(message, LONGEST_LINE),
    '',
    `Organization: ${printableText(organization_name, LONGEST_LINE)}`,
    `Severity: ${label}`,
    `Kind: ${type_label}`,
    ...(domain ? [`Domain: ${domain}`] : []),
    `Found: ${created_at}`,
    ...(/^https?:/.test(link) ? [`Details: ${link}`] : []),
    '',
    'Sent by DMARC Ledger, because this address is a target of its events.',
    '',
  ].join('\n');
}
