import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { expect, it } from 'vitest';
import { ownedNames } from '../src/intake/routing.ts';
import { SeenNames } from '../src/records/seen-names.ts';

it('only names that the DNS could hold are recorded', () => {
  const names = new SeenNames('domain');
  for (const from of ['mail.good.example', 'x/y.good.example', 'x y.good.example', 'xgood.example'])
    names.addSender(from, 'good.example', 1, '2026-03-01');
  names.addKeys(
    [
      { signer: 'good.example', selector: 'k1', messages: 1 },
      { signer: 'good.example', selector: 'k 1', messages: 1 },
      { signer: 'good.example', selector: 'k'.repeat(250), messages: 1 },
      { signer: 'x#y.good.example', selector: 'k1', messages: 1 },
    ],
    '2026-03-01',
  );
  expect(names.subdomains.map(({ name }) => name)).toEqual(['mail.good.example']);
  expect(names.selectors.map(({ signer, selector }) => [signer, selector])).toEqual([['good.example', 'k1']]);
});

it.each(['x/y.good.example', 'x y.good.example', 'a@good.example'])(
  'a report about %s, which is no domain name, has no owner',
  (name) => {
    expect(ownedNames(name, publicSuffixDomains())).toEqual([]);
  },
);
