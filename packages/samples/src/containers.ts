import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import type { SampleFile } from './facts.ts';

// The containers of reports. The same content gives the same bytes: no clock, no random boundary.

export function plain(name: string, xml: string): SampleFile {
  return { name: `${name}.xml`, bytes: Buffer.from(xml) };
}

export function gzipped(name: string, xml: string): SampleFile {
  return { name: `${name}.xml.gz`, bytes: gzipSync(xml) };
}

/** Some gateways add a line end to the attachment that is not part of the gzip stream. */
export function gzippedWithLineEnd(name: string, xml: string): SampleFile {
  return { name: `${name}.xml.gz`, bytes: Buffer.concat([gzipSync(xml), Buffer.from('\r\n')]) };
}

export function zipped(name: string, xml: string): SampleFile {
  const [content, entry] = [Buffer.from(xml), Buffer.from(`${name}.xml`)];
  const packed = deflateRawSync(content);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0); // version needed
  common.writeUInt16LE(8, 4); // deflate
  common.writeUInt16LE(0x21, 8); // 1 January 1980
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(entry.length, 22);
  const local = Buffer.concat([signature('PK\x03\x04'), common, entry, packed]);
  const central = Buffer.concat([signature('PK\x01\x02'), uint16(20), common, Buffer.alloc(14), entry]);
  const end = Buffer.concat([
    signature('PK\x05\x06'),
    uint16(0, 0, 1, 1),
    uint32(central.length, local.length),
    uint16(0),
  ]);
  return { name: `${name}.zip`, bytes: Buffer.concat([local, central, end]) };
}

function signature(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function uint16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => bytes.writeUInt16LE(value, i * 2));
  return bytes;
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32LE(value, i * 4));
  return bytes;
}
