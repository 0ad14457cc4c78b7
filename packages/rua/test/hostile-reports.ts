import { gzipSync } from 'node:zlib';

/** The expected result of an input: one code of refusal, or the messages of its one report and a warning. */
export type Outcome = { refused: string } | { messages: number; warning: string };

const MB = 1024 ** 2;
const META = `<report_metadata><org_name>Hostile</org_name><email>a@hostile.example</email><report_id>h</report_id>
<date_range><begin>1743465600</begin><end>1743551999</end></date_range></report_metadata>`;
const POLICY = '<policy_published><domain>shop.example</domain><p>none</p></policy_published>';

const record = (count: string, ip = '192.0.2.1', more = '') =>
  `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>none</disposition>
<dkim>pass</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>shop.example</header_from></identifiers>
<auth_results><dkim><domain>shop.example</domain><result>pass</result></dkim>${more}<spf><domain>a.example</domain>
<result>none</result></spf></auth_results></record>`;
const report = (records: string, before = '') => `${before}<feedback>${META}${POLICY}${records}</feedback>`;
const beside = (odd: string) => report(record('2') + odd);

const LAUGHS = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');

/** Invalid counts: the other record keeps its two messages. */
const COUNTS: [string, string][] = [
  ['in hexadecimal', '0x10'],
  ['with an exponent', '1e3'],
  ['with a separator', '1_000'],
  ['with a comma', '1,5'],
  ['in Arabic digits', '١٢'],
  ['in wide digits', '３'],
  ['that is not finite', 'Infinity'],
  ['that is not a number', 'NaN'],
  ['in a word', 'three'],
];
const ADDRESSES: [string, string][] = [
  ['of five parts', '192.0.2.1.1'],
  ['of three parts', '192.0.2'],
  ['beyond a byte', '192.0.2.999'],
  ['as one number', '3221225985'],
  ['in hexadecimal', '0xC0.0.2.1'],
  ['with a script', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['of a thousand characters', '1'.repeat(1_000)],
  ['of a network', '192.0.2.0/24'],
];

/** Inputs made to harm a reader, small in this file and large once they are built. */
export const hostileReports: { readonly [name: string]: { make: () => Buffer; comesTo: Outcome } } = Object.fromEntries(
  (
    [
      [
        'entities in entities',
        `<!DOCTYPE x [<!ENTITY l0 "ha">${LAUGHS}]>${beside('&l9;')}`,
        { refused: 'xml_doctype' },
      ],
      [
        'an entity that names a file',
        `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${report(record('1'))}`,
        { refused: 'xml_doctype' },
      ],
      ['elements 100,000 deep', `<feedback>${'<a>'.repeat(100_000)}`, { refused: 'xml_too_deep' }],
      [
        '5,000 attributes',
        () => `<feedback ${Array.from({ length: 5_000 }, (_, i) => `a${i}=""`).join(' ')}/>`,
        { refused: 'xml_too_many_attributes' },
      ],
      ['a name of a megabyte', () => `<feedback><${'n'.repeat(MB)}/></feedback>`, { refused: 'xml_text_too_long' }],
      ['a text of eight megabytes', () => report(`<x>${'t'.repeat(8 * MB)}</x>`), { refused: 'xml_text_too_long' }],
      ['a comment without an end', () => `<feedback><!--${'c'.repeat(8 * MB)}`, { refused: 'xml_text_too_long' }],
      ['100,000 reports', () => '<feedback></feedback>'.repeat(100_000), { refused: 'too_many_reports' }],
      ['no report at all', '<html><body>report</body></html>', { refused: 'not_a_report' }],
      ['an end that is missing', report(record('1')).replace('</feedback>', ''), { refused: 'xml_truncated' }],
      ['a count that no number holds', report(record('9'.repeat(60_000))), { refused: 'count_implausible' }],
      ...COUNTS.map(([name, text]) => [
        `a count ${name}`,
        beside(record(text)),
        { messages: 2, warning: 'count_invalid' },
      ]),
      ['a negative count', beside(record('-1')), { messages: 2, warning: 'count_negative' }],
      ...ADDRESSES.map(([name, text]) => [
        `an address ${name}`,
        beside(record('5', text)),
        { messages: 2, warning: 'source_ip_invalid' },
      ]),
      ['a second count in a row', report(record('2</count><count>700')), { messages: 2, warning: 'element_duplicate' }],
      [
        '100,000 signatures',
        () => report(record('2', '192.0.2.1', '<dkim><domain>a.example</domain></dkim>'.repeat(100_000))),
        { messages: 2, warning: 'dkim_many' },
      ],
      [
        'names that JavaScript knows',
        beside('<__proto__><count>9</count></__proto__><constructor>1</constructor>'),
        { messages: 2, warning: 'element_unknown' },
      ],
      [
        'a null byte',
        report(record('2')).replace('Hostile', 'Ho\0stile'),
        { messages: 2, warning: 'xml_control_chars' },
      ],
    ] as [string, string | (() => string), Outcome][]
  ).map(([name, text, comesTo]) => [
    name,
    { make: () => Buffer.from(typeof text === 'string' ? text : text()), comesTo },
  ]),
);

const endless = () => Buffer.concat([Buffer.from('<feedback>'), Buffer.alloc(48 * MB, `<a>${' '.repeat(60_000)}</a>`)]);

/** Archives of a few kilobytes that inflate to a thousand times as much. */
export const bombs: { readonly [name: string]: () => Buffer } = {
  'a gzip of 48 MB': () => gzipSync(endless()),
  'a gzip in a gzip': () => gzipSync(gzipSync(endless())),
};
