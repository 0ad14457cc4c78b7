import { adminEnv, apiEnv, blobEnv, dataEnv, logEnv, readEnv, uploadEnv } from '@dmarc-ledger/runtime';
import { expect, it } from 'vitest';

const all = { ...dataEnv, ...logEnv, ...apiEnv, ...uploadEnv, ...adminEnv, ...blobEnv };
const usual = {
  DATA_DIR: './data',
  LOG_LEVEL: 'info',
  HOST: '127.0.0.1',
  PORT: 8080,
  INGEST_PORT: 8081,
  ADMIN_HOST: '127.0.0.1',
  ADMIN_PORT: 9090,
};

it('needs nothing to be set', () => {
  expect(readEnv(all, {})).toEqual(usual);
});

it('reads what is set, and takes an empty variable for one that is not', () => {
  const source = {
    PORT: ' 0 ',
    HOST: '0.0.0.0',
    LOG_LEVEL: 'debug',
    DATA_DIR: '',
    BLOB_URL: 'file:/var/blobs',
    OTHER: 'x',
  };
  expect(readEnv(all, source)).toEqual({
    ...usual,
    PORT: 0,
    HOST: '0.0.0.0',
    LOG_LEVEL: 'debug',
    BLOB_URL: 'file:/var/blobs',
  });
});

it('reports every fault at once, each with its variable and what it expects, and repeats no value', () => {
  const source = { PORT: '70000', ADMIN_PORT: 'hunter2', LOG_LEVEL: 'loud', HOST: 'no host', BLOB_URL: 'ftp://x' };
  expect(() => readEnv(all, source)).toThrow(
    [
      'The environment is invalid:',
      '  LOG_LEVEL: expected trace, debug, info, warn, error, fatal or silent',
      '  HOST: expected an address or host name to listen on',
      '  PORT: expected a port from 0 to 65535',
      '  ADMIN_PORT: expected a port from 0 to 65535',
      '  BLOB_URL: expected a URL that begins with file: or s3:',
    ].join('\n'),
  );
});
