import { UnpackError } from './errors.ts';
import type { Kind } from './sniff.ts';

/** A report's own form (RFC 9990, 3.5.1; RFC 8460, 5.1), or the ending of what reports come in. */
const REPORT_NAME = /^[^!]+![^!]+!\d+!\d+|\.(?:xml|json|gz|zip|tar|tgz)$/i;

/** True for the name of a part that its sender means as a report: if it is none, that is said. */
export function isReportName(name: string | null): boolean {
  return name !== null && REPORT_NAME.test(name.trim());
}

/** Why a part with such a name is refused. */
export function notAReport(kind: Kind): UnpackError {
  return kind === 'empty'
    ? new UnpackError('empty_container', 'it is named like a report, and is empty')
    : new UnpackError('not_a_report', 'it is named like a report, and is none');
}
