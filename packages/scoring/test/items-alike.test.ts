import { expect, it } from 'vitest';
import { itemsAlike } from '../src/items-alike.ts';

const item = (severity: 'high' | 'medium' | 'low', title: string, type = 'dns_dmarc') =>
  ({ type, severity, title, suggested_action: '', cta_label: '', link: { place: 'events' } }) as never;

it('puts together what several domains ask for, most urgent first, then what most of them ask for', () => {
  const items = new Map([
    ['b.example', [item('medium', 'Policy'), item('low', 'Logo')]],
    ['a.example', [item('medium', 'Policy'), item('medium', 'Alignment'), item('low', 'Key')]],
    ['c.example', [item('high', 'Record')]],
  ]);
  expect(itemsAlike(items)).toEqual([
    { severity: 'high', title: 'Record', count: 1, domains: ['c.example'] },
    { severity: 'medium', title: 'Policy', count: 2, domains: ['a.example', 'b.example'] },
    { severity: 'medium', title: 'Alignment', count: 1, domains: ['a.example'] },
    { severity: 'low', title: 'Key', count: 1, domains: ['a.example'] },
    { severity: 'low', title: 'Logo', count: 1, domains: ['b.example'] },
  ]);
});

it('counts items of one domain that ask for the same, and keeps what differs in urgency apart', () => {
  const items = new Map([
    ['a.example', [item('high', 'Drop'), item('high', 'Drop'), item('medium', 'Drop')]],
    ['', [item('high', 'Drop')]],
  ]);
  expect(itemsAlike(items)).toEqual([
    { severity: 'high', title: 'Drop', count: 3, domains: ['', 'a.example'] },
    { severity: 'medium', title: 'Drop', count: 1, domains: ['a.example'] },
  ]);
});

it('puts events of one type together whatever they are about, and calls them by their type', () => {
  const about = (ip: string) => item('high', `Malicious source: ${ip}`, 'malicious_source');
  const items = new Map([
    ['a.example', [about('192.0.2.1'), about('192.0.2.2'), item('high', 'Record')]],
    ['b.example', [about('192.0.2.3')]],
  ]);
  expect(itemsAlike(items)).toEqual([
    { severity: 'high', title: 'Malicious source', count: 3, domains: ['a.example', 'b.example'] },
    { severity: 'high', title: 'Record', count: 1, domains: ['a.example'] },
  ]);
  expect(itemsAlike(new Map([['a.example', [about('192.0.2.1')]]]))).toMatchObject([
    { title: 'Malicious source: 192.0.2.1', count: 1 },
  ]);
});
