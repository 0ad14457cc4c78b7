import { escapeHtml } from '@dmarc-ledger/vocabulary';
import type { Digest, DigestSection } from './digest.ts';
import type { DigestLinks } from './digest-text.ts';

/** Colours of the light theme stand in the elements, for clients that read no style sheet. */
const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #14171a !important; }
  .card { background: #1d2226 !important; color: #e6e9ec !important; }
  .soft { color: #a3adb5 !important; }
  .line { border-bottom-color: #343c43 !important; }
  a { color: #8ab8ff !important; }
}
@media (max-width: 480px) { .figure { display: block !important; width: 100% !important; } }`;

const marks: { [tone in DigestSection['rows'][number]['tone']]: string } = {
  critical: '#b3261e',
  warning: '#9a6200',
  good: '#1b7f3b',
  neutral: '#5b6670',
};

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Writes a digest as a mail of HTML: tables, no script, nothing from elsewhere. */
export function digestHtml(digest: Digest, { home, unsubscribe }: DigestLinks): string {
  const { subject, opening, figures, sections } = digest;
  const links = [
    home === undefined ? '' : link(home, 'Open DMARC Ledger'),
    unsubscribe === undefined ? '' : link(unsubscribe, 'Unsubscribe'),
  ].filter(Boolean);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title><style>${style}</style></head>
<body class="page" style="margin:0;padding:16px;background:#eef1f4">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0"
  style="max-width:640px;table-layout:fixed;margin:0 auto;background:#ffffff;color:#1d2226;border-radius:8px;${FONT}">
<tr><td style="padding:24px;overflow-wrap:anywhere">
<h1 style="margin:0 0 8px;font-size:20px">${escapeHtml(subject)}</h1>
<p style="margin:0 0 16px;line-height:1.5">${escapeHtml(opening)}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>${figures.map(figure).join('')}</tr></table>
${sections.map(section).join('\n')}
<p class="soft" style="margin:24px 0 0;font-size:13px;color:#5b6670">${[
    ...links,
    'Sent by DMARC Ledger, because you asked for this digest.',
  ].join('<br>')}</p>
</td></tr></table></body></html>
`;
}

function figure({ label, value, change }: Digest['figures'][number]): string {
  return `<td class="figure" width="33%" style="padding:0 8px 12px 0;vertical-align:top">
<div class="soft" style="font-size:13px;color:#5b6670">${escapeHtml(label)}</div>
<div style="font-size:20px;font-weight:600">${escapeHtml(value)}</div>
<div class="soft" style="font-size:13px;color:#5b6670">${escapeHtml(change)}</div></td>`;
}

function section({ heading, rows, more }: DigestSection): string {
  return `<h2 style="margin:20px 0 4px;font-size:16px">${escapeHtml(heading)}</h2>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rows.map(row).join('')}</table>
${more === '' ? '' : `<p class="soft" style="margin:8px 0 0;font-size:13px;color:#5b6670">${escapeHtml(more)}</p>`}`;
}

function row({ title, detail, tone }: DigestSection['rows'][number]): string {
  return `<tr><td class="line" style="padding:8px 0 8px 12px;border-bottom:1px solid #dde2e7;border-left:4px solid ${marks[tone]};overflow-wrap:anywhere">
<div style="font-weight:600">${escapeHtml(title)}</div>
<div class="soft" style="font-size:14px;line-height:1.4;color:#5b6670">${escapeHtml(detail)}</div></td></tr>`;
}

function link(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}" style="color:#0b57d0">${escapeHtml(text)}</a>`;
}
