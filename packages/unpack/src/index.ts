export { bufferSource, fileSource, type ByteSource } from './byte-source.ts';
export type { Document } from './document.ts';
export { RecordBudgetError, UnpackError, type UnpackCode } from './errors.ts';
export { DeliveryBudget, mailAllowance, ownersAllowance, type Allowance, type Meter } from './delivery-budget.ts';
export type { RefusedPart } from './gatherer.ts';
export { unpack, type Unpacking } from './unpack.ts';
export {
  parseAuthenticationResults,
  type AuthenticationResults,
  type MethodResult,
} from './mail/authentication-results.ts';
export { sniff, type Kind } from './sniff.ts';
export type { Envelope, TraceField } from './envelope.ts';
