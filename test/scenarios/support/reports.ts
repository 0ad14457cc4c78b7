import { reporters, type SampleFile, sendReport } from '@dmarc-ledger/samples';
import { addDays, type Day, type DmarcPolicy, present, startOfDay } from '@dmarc-ledger/vocabulary';
import { reportMail } from '@dmarc-ledger/testkit';
import { FIRST_REPORTER, recordsOf, type Stream } from './mail.ts';

/** A domain, the policy that receivers find on a day, and the mail in its name. */
export interface Mailing {
  domain: string;
  policy: DmarcPolicy | ((daysAgo: number) => DmarcPolicy);
  streams: readonly Stream[];
  /** How the mails with the reports were authenticated as the reporter; absent: they are imported as files. */
  mailed?: 'pass' | 'fail' | undefined;
}

const USUAL_DAYS = [20, 1] as const;
let number = 0;

/** The reports on a domain, one for each day and reporter, as those reporters write and send them. */
export function reportFiles({ domain, policy, streams, mailed }: Mailing, today: Day): SampleFile[] {
  const daysOf = ({ days = USUAL_DAYS }: Stream) => days;
  const first = Math.max(...streams.map((stream) => daysOf(stream)[0]));
  const last = Math.min(...streams.map((stream) => daysOf(stream)[1]));
  const files: SampleFile[] = [];
  for (let ago = first; ago >= last; ago -= 1) {
    const p = typeof policy === 'function' ? policy(ago) : policy;
    const sent = streams.filter((stream) => ago <= daysOf(stream)[0] && ago >= daysOf(stream)[1]);
    for (const [name, seen] of Map.groupBy(sent, ({ seenBy = FIRST_REPORTER }) => seenBy)) {
      const reporter = present(reporters.find(({ host }) => host === name));
      const report = {
        domain: { name: domain, policy: p, subdomainPolicy: p, failureOptions: '1' },
        reportId: `scenario-${(number += 1)}`,
        begin: startOfDay(addDays(today, -ago)),
        end: startOfDay(addDays(today, 1 - ago)),
        records: seen.flatMap((stream) => recordsOf(stream, domain, p)),
      };
      const file = sendReport(report, reporter);
      files.push(mailed ? inMail(file, reporter.shape.email, mailed) : file);
    }
  }
  return files;
}

/** The mail server of the organizations, which records how mail was authenticated. */
export const SERVER = 'mx.ledger.example';

function inMail({ name, bytes }: SampleFile, from: string, verdict: 'pass' | 'fail'): SampleFile {
  const attachment = { name, bytes, type: 'application/zip' };
  return { name, bytes: reportMail({ from, attachment, authenticationResults: `${SERVER}; dmarc=${verdict}` }) };
}
