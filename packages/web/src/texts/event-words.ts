import type { OpenFact } from '@dmarc-ledger/queries';
import { isProtocol, protocolNames } from '@dmarc-ledger/vocabulary';
import type { Formats } from '../page/formats.ts';

const MECHANISMS: { readonly [mechanism: string]: string } = { spf: 'SPF', dkim: 'DKIM' };

/**
 * What an event says beyond its title: nothing for a message that repeats it. A drop of alignment has its day and
 * mechanism in its key alone.
 */
export function messageOf({ type, title, message, key }: OpenFact, formats: Formats): string | undefined {
  if (type === 'alignment_drop') {
    const [, , mechanism = '', day = ''] = key.split('/');
    const name = MECHANISMS[mechanism];
    if (name !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day)) return `By ${name}, on ${formats.day(day)}.`;
  }
  return message === `${title}.` ? undefined : message;
}

/** What the link of an event leads to, such as `/sources/192.0.2.1`. */
export function linkWords(link: string): string {
  const { pathname, searchParams } = new URL(link, 'http://own.invalid');
  const [place = '', name = '', , protocol = ''] = pathname.slice(1).split('/').map(decodeURIComponent);
  const domain = searchParams.get('domain');
  if (pathname === '/domains/add' && domain) return `Add ${domain}`;
  if (pathname === '/sources' && domain) return `Senders of ${domain}`;
  if (pathname === '/reports' && domain) return `Reports of ${domain}`;
  if (place === 'domains' && isProtocol(protocol)) return `${protocolNames[protocol]} of ${name}`;
  if ((place === 'domains' || place === 'sources') && name !== '') return `Look at ${name}`;
  return 'Look at it';
}
