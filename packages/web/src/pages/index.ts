import type { Action, Page } from '../page/define-page.ts';
import { bulkSenderPage } from './bulk-sender/bulk-sender-page.tsx';
import { coveragePage } from './coverage/coverage-page.tsx';
import { addDomainAction, addDomainPage } from './domains/add-page.tsx';
import { endMonitoring } from './domains/end-monitoring.ts';
import { dnsPage, hostedPage, verifyPage } from './domains/dns-page.tsx';
import { chooseDigest } from './digest/choose-digest.ts';
import { digestPage, previewPage } from './digest/digest-page.tsx';
import { domainPage } from './domains/domain-page.tsx';
import { domainsPage } from './domains/domains-page.tsx';
import { acknowledge } from './events/acknowledge.ts';
import { enforcePage } from './enforcement/enforce-page.tsx';
import { stagesPage } from './enforcement/stages-page.tsx';
import { dkimPage, spfPage } from './dns/domain-dns-pages.tsx';
import { eventsPage } from './events/events-page.tsx';
import { overviewPage } from './overview/overview-page.tsx';
import { reportPage } from './reports/report-page.tsx';
import { failuresPage } from './failures/failures-page.tsx';
import { reportersPage } from './reporters/reporters-page.tsx';
import { rawReportPage } from './reports/raw-report-page.tsx';
import { reportsPage } from './reports/reports-page.tsx';
import { decide } from './senders/decide.ts';
import { senderPage } from './senders/sender-page.tsx';
import { sourcePage } from './senders/source-page.tsx';
import { sendersPage, sourcesPage } from './senders/senders-page.tsx';
import { deliveryPage } from './settings/delivery-page.tsx';
import { addMailboxAction, addMailboxPage } from './settings/add-mailbox-page.tsx';
import { ingestPage } from './settings/ingest-page.tsx';
import { installationPage } from './settings/installation-page.tsx';
import { makeKey, revoke } from './settings/key-actions.tsx';
import { keysPage } from './settings/keys-page.tsx';
import { pauseMailbox, removeMailbox, resumeMailbox, testMailbox } from './settings/mailbox-actions.ts';
import { mailboxPage } from './settings/mailbox-page.ts';
import { rawDeliveryPage } from './settings/raw-delivery-page.ts';
import { notificationsPage } from './settings/notifications-page.tsx';
import { invite, remove } from './settings/people-actions.tsx';
import { peoplePage } from './settings/people-page.tsx';
import { replay } from './settings/replay.ts';
import { addTarget, removeTarget, testTarget } from './settings/target-actions.tsx';
import { tlsPage } from './tls/tls-page.tsx';
import { tlsReportPage } from './tls/tls-report-page.tsx';
import { tlsReportsPage } from './tls/tls-reports-page.tsx';

/** Every page that people see when they are signed in. */
export const pages: readonly Page[] = [
  overviewPage,
  domainsPage,
  addDomainPage,
  domainPage,
  enforcePage,
  stagesPage,
  coveragePage,
  bulkSenderPage,
  dnsPage,
  dkimPage,
  spfPage,
  hostedPage,
  verifyPage,
  sendersPage,
  senderPage,
  sourcesPage,
  sourcePage,
  reportsPage,
  reportPage,
  rawReportPage,
  reportersPage,
  failuresPage,
  tlsPage,
  tlsReportsPage,
  tlsReportPage,
  eventsPage,
  digestPage,
  previewPage,
  ingestPage,
  deliveryPage,
  rawDeliveryPage,
  addMailboxPage,
  mailboxPage,
  peoplePage,
  keysPage,
  notificationsPage,
  installationPage,
];

/** Everything that people change on them. */
export const actions: readonly Action[] = [
  acknowledge,
  addDomainAction,
  endMonitoring,
  chooseDigest,
  decide,
  invite,
  remove,
  makeKey,
  revoke,
  addMailboxAction,
  testMailbox,
  pauseMailbox,
  resumeMailbox,
  removeMailbox,
  addTarget,
  testTarget,
  removeTarget,
  replay,
];
