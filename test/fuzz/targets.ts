import { AprfError, isAprf, readAprf } from '@dmarc-ledger/aprf';
import { checks, readAddress, type Ask } from '@dmarc-ledger/dns-records';
import { alignRecord } from '@dmarc-ledger/dmarc';
import { readHeader, readReports, ReportError, streamReport } from '@dmarc-ledger/rua';
import { readFailureReport } from '@dmarc-ledger/ruf';
import { isTlsReport, readTlsReport } from '@dmarc-ledger/tlsrpt';
import { bufferSource, unpack } from '@dmarc-ledger/unpack';
import { isDomainName, markedText, parseJson, readDomainName } from '@dmarc-ledger/vocabulary';
import { fixtures, gzips, mails, tars, texts, zips, type Samples } from './samples.ts';
import * as words from './words.ts';
import { believedFacts } from '../../packages/pipeline/src/intake/mail-facts.ts';

/** A reader, real input for it, and what is often put into that. */
export interface Target {
  samples: Samples;
  words: readonly string[];
  /** What comes of an input, which must be storable. Throws a `CodedError` for what is refused, and nothing else. */
  read(input: Buffer): unknown;
}

const receivedAt = 1_767_400_000;
const WHOLE = 8 * 1024 ** 2;

export const targets: { readonly [name: string]: Target } = {
  rua: { samples: fixtures('rua', '.xml'), words: words.xml, read: readWhole },
  'rua-stream': { samples: fixtures('rua', '.xml'), words: words.xml, read: readStream },
  tlsrpt: {
    samples: fixtures('tlsrpt', '.report.json'),
    words: words.json,
    read(input) {
      const { value } = parseJson(input);
      return isTlsReport(value) ? readTlsReport(value, { receivedAt }) : null;
    },
  },
  aprf: {
    samples: fixtures('aprf', '.report.json'),
    words: words.json,
    read(input) {
      const { value } = parseJson(input);
      return isAprf(value) ? readAprf(value, { receivedAt }).filter((each) => !(each instanceof AprfError)) : null;
    },
  },
  ruf: {
    samples: fixtures('ruf', '.txt'),
    words: words.fields,
    read: (input) => readFailureReport(input, { receivedAt }),
  },
  mime: { samples: mails, words: words.mime, read: open },
  zip: { samples: zips, words: words.archive, read: open },
  gzip: { samples: gzips, words: words.archive, read: open },
  tar: { samples: tars, words: words.archive, read: open },
  'dns-text': { samples: texts(...words.records), words: words.tags, read: checkDomain },
  'authentication-results': {
    samples: texts(
      'mx.example.com; dmarc=pass (p=reject) header.from=example.com; spf=pass smtp.mailfrom="a b"@example.com',
      'mx.example.com 1; dkim=pass (2048-bit (x)) header.d=example.com header.s=s1 header.b=abc; arc=none',
      'mx.example.com; spf=pass\nmx.example.com; dmarc=pass\nfrom a.example (b.example [192.0.2.1]) by mx.example.com',
      'from localhost (localhost [127.0.0.1]) by mx.example.com\nmx.example.com; spf=pass\nmx.example.com; dmarc=fail',
    ),
    words: words.fields,
    read(input) {
      const trace = input
        .toString()
        .split('\n')
        .map(
          (value) => ({ name: /^(?:from|by) /i.test(value) ? 'received' : 'authentication-results', value }) as const,
        );
      return believedFacts({ receivedAt: null, from: null, recipients: [], trace }, ['mx.example.com', '-']);
    },
  },
  'domain-name': {
    samples: texts('example.com', 'bücher.example.', ' xn--bcher-kva.example ', 'good.example/x', 'ﷺ.example'),
    words: words.names,
    read: readName,
  },
};

async function readWhole(input: Buffer): Promise<unknown> {
  const outcomes = await Promise.resolve(readReports(input, { receivedAt }));
  const reports = outcomes.flatMap((outcome) => (outcome instanceof ReportError ? [] : [outcome]));
  for (const { header, records } of reports) {
    if (!isDomainName(header.policyPublished.domain)) throw new Error(`${header.policyPublished.domain} is no domain`);
    for (const record of records) alignRecord(record, header.policyPublished);
  }
  return reports;
}

async function readStream(input: Buffer): Promise<unknown> {
  const pieces = async function* () {
    for (let at = 0; at < input.length; at += 1_000) yield input.subarray(at, at + 1_000);
  };
  const header = await readHeader(pieces(), { receivedAt });
  const events = [];
  for await (const event of streamReport(pieces(), { receivedAt, header })) events.push(event);
  return events;
}

/** Takes a delivery apart, and reads what is in it to the end. */
async function open(input: Buffer): Promise<unknown> {
  const refusals = [];
  const unpacking = unpack(bufferSource(input), { name: 'delivery' });
  const found = [];
  for await (const document of unpacking) {
    if (document.kind === 'refused') {
      refusals.push(document);
      continue;
    }
    const whole = await document.readWhole(WHOLE);
    found.push({ path: document.path, name: document.name, warnings: document.warnings, more: whole?.warnings });
  }
  return { refusals, found, mail: unpacking.mail };
}

/** All checks of a domain that answers every query with these lines, and serves them as its policy. */
async function checkDomain(input: Buffer): Promise<unknown> {
  const values = markedText(input.toString()).split('\n').slice(0, 20);
  const text = { kind: 'found' as const, values };
  const hosts = values.map((host, preference) => ({ host, preference }));
  const ask: Ask = {
    isValidating: true,
    text: async () => text,
    addresses: async () => text,
    isNameAbsent: async () => false,
    mailServers: async () => ({ kind: 'found', values: hosts }),
    validatedMailServers: async () => ({ found: { kind: 'found', values: hosts }, isSecure: true }),
    tlsa: async () => ({
      found: { kind: 'found', values: [{ usage: 3, selector: 1, matching: 1, data: input.subarray(0, 64) }] },
      isSecure: true,
    }),
    fetch: async () => ({ kind: 'text', body: values.join('\n'), mediaType: 'text/plain' }),
    presented: async () => ({ kind: 'chains', chains: [[input]] }),
  };
  const context = {
    domain: 'mail.example.com',
    organizationalDomain: 'example.com',
    ours: ['rua@ledger.example'],
    selectors: [{ domain: 'example.com', selector: 's1' }],
    hasMail: true,
    now: new Date(receivedAt * 1_000),
  };
  const findings = [];
  for (const check of checks) {
    const { status, details } = await check.run(ask, context);
    findings.push({ status, details });
  }
  return [findings, values.map(readAddress)];
}

function readName(input: Buffer): unknown {
  const name = readDomainName(input.toString());
  if (name !== undefined && readDomainName(name) !== name) throw new Error(`${name} is read as another name`);
  return name ?? null;
}
