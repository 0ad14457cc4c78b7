import { crc32, deflateRawSync } from 'node:zlib';

/** A member of a zip, and the false claims of its directory. */
export interface ZipMember {
  name: string;
  data: Buffer;
  method?: number;
  flags?: number;
  packed?: Buffer;
  size?: number;
  crc?: number;
  /** The claimed place of its local header. */
  offset?: number;
  attributes?: number;
}

/** A zip whose every field can be false. (APPNOTE 4.3) */
export function zip(members: readonly ZipMember[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let length = 0;
  for (const member of members) {
    const name = Buffer.from(member.name);
    const packed = member.packed ?? (member.method === 0 ? member.data : deflateRawSync(member.data));
    const header = fields(member, packed.length, name.length);
    directory.push(
      Buffer.from('504b01021403', 'hex'),
      header,
      uint([0, 2], [0, 2], [0, 2], [member.attributes ?? 0, 4], [member.offset ?? length, 4]),
      name,
    );
    if (member.offset !== undefined) continue;
    const part = Buffer.concat([Buffer.from('504b0304', 'hex'), header, name, packed]);
    local.push(part);
    length += part.length;
  }
  const size = Buffer.concat(directory).length;
  const end = uint([0, 2], [0, 2], [members.length, 2], [members.length, 2], [size, 4], [length, 4], [0, 2]);
  return Buffer.concat([...local, ...directory, Buffer.from('504b0506', 'hex'), end]);
}

function fields(
  { data, method = 8, flags = 0, size = data.length, crc = crc32(data) }: ZipMember,
  packed: number,
  name: number,
): Buffer {
  return uint(
    [20, 2],
    [flags, 2],
    [method, 2],
    [0, 2],
    [0x5a21, 2],
    [crc, 4],
    [packed, 4],
    [size, 4],
    [name, 2],
    [0, 2],
  );
}

function uint(...values: [number: number, bytes: 2 | 4][]): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}

/** A part of a message: its headers, and a body that is encoded in base64. */
export function part(type: string, body: Buffer | string, name?: string): string {
  const file = name ? `; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"` : '';
  const encoded = Buffer.from(body).toString('base64').replace(/.{76}/g, '$&\r\n');
  return `Content-Type: ${type}${file}\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}`;
}

export function message(parts: readonly string[], type = 'multipart/mixed', boundary = 'b0'): string {
  return [
    'Received: from mx.harbour.example by mx.shop.example; Thu, 2 Jan 2025 03:04:05 +0000',
    'Received: from inner by mx.harbour.example; Thu, 2 Jan 2025 03:00:00 +0000',
    'From: reports@harbour.example',
    'Subject: Report Domain: shop.example',
    'MIME-Version: 1.0',
    `Content-Type: ${type}; boundary="${boundary}"`,
    '',
    ...parts.flatMap((text) => [`--${boundary}`, text]),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}
