import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openGeo } from '../src/index.ts';
import { networkOfTable } from '../src/geo/network-source.ts';
import { readNetworkTable } from '../src/geo/network-table.ts';
import { readNetwork, readPlace } from '../src/geo/place.ts';
import { writeMmdb } from '@dmarc-ledger/testkit';

const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-geo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const builtAt = new Date('2026-01-02T03:04:05Z');

describe('the data that is shipped', () => {
  const geo = openGeo();

  it('knows the country of addresses of both families, and when it was made', async () => {
    expect(geo.sources.map(({ builtAt }) => builtAt)).toEqual(geo.sources.map(() => null));
    expect(await geo.lookUp('8.8.8.8')).toMatchObject({ countryCode: 'US', country: 'United States' });
    expect((await geo.lookUp('2001:4860:4860::8888')).countryCode).toMatch(/^[A-Z]{2}$/);
    expect((await geo.lookUp('::ffff:8.8.8.8')).countryCode).toBe('US');
    for (const source of geo.sources) {
      expect(source.shipped).toBe(true);
      expect(source.builtAt?.getUTCFullYear()).toBeGreaterThanOrEqual(2026);
    }
  });

  it('knows nothing of private addresses and of what is none', async () => {
    expect(await geo.lookUp('127.0.0.1')).toEqual({});
    expect(await geo.lookUp('nonsense')).toEqual({});
  });
});

describe('a record', () => {
  it.each([
    [
      {
        city: 'Mountain View',
        country_code: 'US',
        latitude: 37.422000885009766,
        longitude: -122.08499908447266,
        postcode: '',
      },
      { city: 'Mountain View', country: 'United States', countryCode: 'US', latitude: 37.422, longitude: -122.085 },
    ],
    [
      {
        city: { geoname_id: 1, names: { de: 'Köln', en: 'Cologne' } },
        country: { iso_code: 'DE', names: { en: 'Germany' } },
        location: { latitude: 50.9, longitude: 6.9, accuracy_radius: 5 },
      },
      { city: 'Cologne', country: 'Germany', countryCode: 'DE', latitude: 50.9, longitude: 6.9 },
    ],
    [{ country_code: 'de' }, { countryCode: 'DE', country: 'Germany' }],
    [{ country: 'FR' }, { countryCode: 'FR', country: 'France' }],
    [{ country_code: '', city: '' }, {}],
    [{ country_code: 'ZZZ', latitude: 999 }, {}],
    [
      { latitude: 0, longitude: 0 },
      { latitude: 0, longitude: 0 },
    ],
    [{ city: 'Del\0ft\u202E', latitude: NaN }, { city: 'Del ft' }],
    [null, {}],
    [undefined, {}],
  ])('%j is the place %j', (record, place) => expect(readPlace(record)).toEqual(place));

  it.each([
    [
      { autonomous_system_number: 15169, autonomous_system_organization: 'Google LLC' },
      { asn: 15169, isp: 'Google LLC' },
    ],
    [
      { asn: 'AS15169', as_name: 'Google LLC' },
      { asn: 15169, isp: 'Google LLC' },
    ],
    [
      { asn: '15169', name: 'Google' },
      { asn: 15169, isp: 'Google' },
    ],
    [{ isp: 'Some ISP' }, { isp: 'Some ISP' }],
    [{ asn: 0 }, {}],
    [{ asn: 64500, isp: '\0' }, { asn: 64500 }],
    [{ isp: `Lo\0ng${'x'.repeat(500)}` }, { isp: `Lo ng${'x'.repeat(194)}…` }],
    [undefined, {}],
  ])('%j is the network %j', (record, network) => expect(readNetwork(record)).toEqual(network));
});

describe('the operator’s own files', () => {
  const place = (city: string) => ({ city: { names: { en: city } }, country: { iso_code: 'NL' } });

  it('are used in place of the data shipped', async () => {
    const cityDb = join(folder, 'city.mmdb');
    const asnDb = join(folder, 'asn.mmdb');
    writeMmdb(cityDb, { '9.9.0.0/17': place('Utrecht'), '9.9.128.0/17': place('Delft') }, builtAt);
    writeMmdb(
      asnDb,
      { '9.0.0.0/8': { autonomous_system_number: 11377, autonomous_system_organization: 'Twilio' } },
      builtAt,
    );
    const geo = openGeo({ cityDb, asnDb });
    expect(await geo.lookUp('9.9.1.1')).toMatchObject({
      city: 'Utrecht',
      countryCode: 'NL',
      asn: 11377,
      isp: 'Twilio',
    });
    expect(await geo.lookUp('9.9.200.1')).toMatchObject({ city: 'Delft' });
    expect(await geo.lookUp('1.1.1.1')).toEqual({});
    expect(await geo.lookUp('2001:4860:4860::8888')).toEqual({});
    expect(geo.sources).toEqual([
      { kind: 'city', path: cityDb, shipped: false, builtAt },
      { kind: 'network', path: asnDb, shipped: false, builtAt },
    ]);
  });

  it('are read again when they change, at most once a minute, and stay in use when the change is broken', async () => {
    const cityDb = join(folder, 'changing.mmdb');
    const failures: unknown[] = [];
    let nowMs = 0;
    const change = (city: string, minute: number) => {
      writeMmdb(`${cityDb}.new`, { '9.0.0.0/8': place(city) }, builtAt);
      utimesSync(`${cityDb}.new`, minute * 60, minute * 60);
      renameSync(`${cityDb}.new`, cityDb);
    };
    change('One', 1);
    const geo = openGeo({ cityDb, now: () => nowMs, onFailure: (error) => failures.push(error) });
    const city = async () => (await geo.lookUp('9.9.9.9')).city;
    expect(await city()).toBe('One');
    change('Two', 2);
    nowMs = 59_000;
    expect(await city()).toBe('One');
    nowMs = 61_000;
    await city();
    await expect.poll(city, { timeout: 30_000 }).toBe('Two');
    writeFileSync(cityDb, 'broken');
    nowMs = 130_000;
    await city();
    await expect.poll(() => failures.length, { timeout: 30_000 }).toBe(1);
    expect(await city()).toBe('Two');
    for (nowMs = 200_000; nowMs < 600_000; nowMs += 61_000) await city();
    change('Three', 3);
    nowMs = 700_000;
    await city();
    await expect.poll(city, { timeout: 30_000 }).toBe('Three');
    expect(failures).toHaveLength(1);
    writeFileSync(cityDb, 'broken');
    nowMs = 800_000;
    await city();
    await expect.poll(() => failures.length, { timeout: 30_000 }).toBe(2);
  });

  it('that are missing are a fault at once', async () => {
    await expect(openGeo({ cityDb: join(folder, 'none.mmdb') }).open()).rejects.toThrow(/ENOENT/);
  });
});

describe('ranges of networks', () => {
  it('that could not be read are read by a later lookup, and the fault is reported once', async () => {
    const [v4, v6] = [join(folder, 'late4.csv'), join(folder, 'late6.csv')];
    const failures: unknown[] = [];
    const source = networkOfTable({ v4, v6 }, (error) => failures.push(error));
    for (let i = 0; i < 3; i += 1) await expect(source.find('1.0.0.1')).rejects.toThrow(/ENOENT/);
    expect(failures).toHaveLength(1);
    writeFileSync(v4, '16777216,16777471,13335,"Cloudflare, Inc."\n');
    writeFileSync(v6, '');
    expect(await source.find('1.0.0.1')).toMatchObject({ asn: 13335 });
  });

  it('are found by their first and last address, in both families', async () => {
    const v4 = join(folder, 'v4.csv');
    const v6 = join(folder, 'v6.csv');
    writeFileSync(
      v4,
      '16777216,16777471,13335,"Cloudflare, Inc."\n16778240,16779263,38803,Gtelecom Pty Ltd\nnonsense\n',
    );
    writeFileSync(v6, '2001:200::,2001:200:1b9:ffff:ffff:ffff:ffff:ffff,2500,"The ""WIDE"" Project"\n');
    const table = await readNetworkTable(v4, v6);
    const found = ['0.255.255.255', '1.0.0.0', '1.0.0.255', '1.0.1.0', '1.0.4.1', '1.0.8.0', '255.255.255.255'];
    expect(found.map((ip) => table.find(ip).asn)).toEqual([
      undefined,
      13335,
      13335,
      undefined,
      38803,
      undefined,
      undefined,
    ]);
    expect(table.find('1.0.0.1')).toEqual({ asn: 13335, isp: 'Cloudflare, Inc.' });
    expect(table.find('2001:200:1b9::1')).toEqual({ asn: 2500, isp: 'The "WIDE" Project' });
    expect(table.find('2001:200:1ba::')).toEqual({});
    expect(table.find('::')).toEqual({});
  });

  it('reads every form of an IPv6 address, a last line without an end, and no line of another form', async () => {
    const [v4, v6] = [join(folder, 'forms-v4.csv'), join(folder, 'forms-v6.csv')];
    writeFileSync(v4, '1,2,3\n1,2,,"none"\n-1,2,7,none\r\n16,31,8,"last"');
    const lines = [
      '::,::F,1,"first"',
      '1:2:3:4:5:6:7:8,1:2:3:4:5:6:7:f,2,"whole"\r',
      '1:2:3:4:5:6:7:8:9,::,3,"nine groups"',
      '1:2:3::4:5:6:7:8,::,3,"no gap"',
      '12345::,::,3,"five digits"',
      '2::g,::,3,"no digit"',
      '3::,3::ffff,4,"last"',
    ];
    writeFileSync(v6, lines.join('\n'));
    const table = await readNetworkTable(v4, v6);
    expect(table.find('0.0.0.20')).toEqual({ asn: 8, isp: 'last' });
    expect(table.find('0.0.0.1')).toEqual({});
    expect(table.find('::f')).toEqual({ asn: 1, isp: 'first' });
    expect(table.find('3::1')).toEqual({ asn: 4, isp: 'last' });
    expect(table.find('1:2:3:4:5:6:7:9')).toEqual({ asn: 2, isp: 'whole' });
    expect(table.find('12::1')).toEqual({});
  });
});
