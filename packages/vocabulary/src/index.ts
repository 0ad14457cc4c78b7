export { CodedError, type Refusal } from './coded-error.ts';
export { addDays, dayOf, instantText, isDay, startOfDay, type Day } from './day.ts';
export { isDomainName, normalizeDomain } from './domain-name.ts';
export { idText, newId, parseId } from './id.ts';
export { canonicalIp } from './ip-address.ts';
export { rate } from './rate.ts';
export { printableText, storableText } from './text.ts';
export { WarningList, warningText, type Warning } from './warning.ts';
