import { expect, it } from 'vitest';
import { tasksFirst } from '../src/pages/senders/tasks-first.ts';

const sources = [
  { source_ip: '192.0.2.1', fail_count: 90 },
  { source_ip: '192.0.2.2', fail_count: 80 },
  { source_ip: '192.0.2.3', fail_count: 0 },
  { source_ip: '192.0.2.4', fail_count: 7 },
  { source_ip: '192.0.2.5', fail_count: 6 },
];
const decided = (ip: string, decision: 'ours' | 'forwarder' | 'not_ours') => ({
  ip,
  decision,
  domain: 'example.com',
  sender: ip,
  owner: '',
});

it('own senders that fail stand first, and what is no task stands last', () => {
  const decisions = [
    decided('192.0.2.1', 'not_ours'),
    decided('192.0.2.2', 'forwarder'),
    decided('192.0.2.3', 'ours'),
    decided('192.0.2.5', 'ours'),
  ];
  const order = tasksFirst(sources, decisions).map(({ source_ip }) => source_ip.at(-1));
  expect(order.join('')).toBe('53412');
});

it('nothing moves where nothing is decided', () => {
  expect(tasksFirst(sources, [])).toEqual(sources);
});
