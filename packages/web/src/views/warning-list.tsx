import type { Warning } from '@dmarc-ledger/vocabulary';
import { warningTexts } from '../texts/warnings.ts';

/** How a report departs from the standard: each code with what it means, and the records concerned. */
export function WarningList({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <ul>
      {warnings.map(({ code, detail }) => (
        <li key={code}>
          <code>{code}</code>
          {warningTexts[code] && `: ${warningTexts[code]}`}
          {detail && <span class="soft"> ({detail})</span>}
        </li>
      ))}
    </ul>
  );
}
