export { bufferSource, fileSource, type ByteSource } from './byte-source.ts';
export type { Document } from './document.ts';
export { UnpackError, type UnpackCode } from './errors.ts';
export { unpack, type Unpacked } from './unpack.ts';
export {
  parseAuthenticationResults,
  type AuthenticationResults,
  type MethodResult,
} from './mail/authentication-results.ts';
export type { Envelope } from './mail/envelope.ts';
