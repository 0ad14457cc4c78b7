import { aprfCheck } from './aprf-check.ts';
import { bimiCheck } from './bimi-check.ts';
import type { Check } from './check.ts';
import { daneCheck } from './dane-check.ts';
import { dkimCheck } from './dkim-check.ts';
import { dmarcCheck } from './dmarc-check.ts';
import { mtaStsCheck } from './mta-sts-check.ts';
import { spfCheck } from './spf-check.ts';
import { tlsRptCheck } from './tls-rpt-check.ts';

/** The protocols of a domain's health, in display order. (rules, domain-checks/names-asked) */
export const checks: readonly Check[] = [
  dmarcCheck,
  spfCheck,
  dkimCheck,
  mtaStsCheck,
  tlsRptCheck,
  bimiCheck,
  daneCheck,
  aprfCheck,
];
