import { describe, expect, it } from 'vitest';
import { isGenericPtr } from '../src/index.ts';

describe('a generic name', () => {
  it.each([
    ['203.0.113.5', '203-0-113-5.dyn.isp.example'],
    ['203.0.113.5', '203-0-113-5.isp.example.net'],
    ['203.0.113.5', '5.113.0.203.pool.isp.example'],
    ['203.0.113.5', '5.113.0.203.isp.example.net'],
    ['203.0.113.5', 'cb007105.cust.isp.example'],
    ['203.0.113.5', 'CB007105.isp.example.net'],
    ['203.0.113.5', 'ip203_0_113_5.isp.example'],
    ['203.0.113.5', 'host-203-000-113-005.isp.example'],
    ['203.0.113.5', '20301135.isp.example'],
    ['203.0.113.5', 'static.203.0.113.isp.example'],
    ['203.0.113.5', 'a5-113-0.isp.example'],
    ['73.1.2.3', 'c-73-1-2-3.hsd1.ca.comcast.net'],
    ['203.0.113.5', 'dsl-pool7.isp.example'],
    ['203.0.113.5', 'x.dynamic.isp.example'],
    ['203.0.113.5', 'cpe-88.isp.example'],
    ['203.0.113.5', 'unassigned.isp.example'],
    ['203.0.113.5', 'customer.isp.example'],
    ['2001:db8:1:2::5', '20010db8000100020000000000000005.isp.example'],
    ['2001:db8:1:2::5', '2001-db8-1-2--5.isp.example'],
    ['2001:db8:1:2::5', 'h.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.2.0.0.0.1.0.0.0.isp.example'],
    ['2001:db8:aaaa:bbbb::5', 'p20010db8aaaabbbb.isp.example'],
  ])('%s: %s', (ip, name) => expect(isGenericPtr(name, ip)).toBe(true));

  it.each([
    ['203.0.113.5', 'mail.example.com'],
    ['203.0.113.5', 'o2.ptr5.sendgrid.net'],
    ['203.0.113.5', 'mail-sor-f41.google.com'],
    ['203.0.113.5', 'example.com'],
    ['203.0.113.5', 'mx.pool.example'],
    ['203.0.113.5', 'localhost'],
    ['203.0.113.5', ''],
    ['1.2.3.4', 'mail123.isp.example'],
    ['203.0.113.5', '1203-0-113-56.isp.example'],
    ['203.0.113.5', 'carpool.isp.example'],
    ['203.0.113.5', 'clients.isp.example'],
    ['2001:db8:1:2::5', 'mail.isp.example'],
    ['2001:db8:1:2::5', 'a-b-c.isp.example'],
    ['2001:db8::5', 'o2.ptr5.sendgrid.net'],
  ])('not generic, %s: %s', (ip, name) => expect(isGenericPtr(name, ip)).toBe(false));

  it('does not run away on a name without end', () => {
    expect(isGenericPtr('1-'.repeat(100_000), '1.1.1.1')).toBe(true);
  });
});
