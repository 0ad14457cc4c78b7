import { expect, it } from 'vitest';
import { itemsAlike } from '../src/items-alike.ts';

const item = (severity: 'high' | 'medium' | 'low', title: string) =>
  ({ type: title, severity, title, suggested_action: '', cta_label: '', link: { place: 'events' } }) as never;

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
