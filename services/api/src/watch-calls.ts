import type { Call, Observer } from '@dmarc-ledger/api';
import type { Logger, Tracing } from '@dmarc-ledger/runtime';
import { traceCall } from './trace-call.ts';

/** Reports each request to logs, metrics and traces. */
export function watchCalls(log: Logger, count: Observer, tracing: Tracing | undefined): Observer {
  return (call) => {
    logCall(log, call);
    if (tracing) traceCall(tracing, call);
    count(call);
  };
}

/** Logs one line for each request, without search terms, keys and addresses. */
function logCall(log: Logger, { failure, caller, address: _address, ...call }: Call): void {
  const line = { event: 'api.request', ...call, orgId: caller?.orgId, keyId: caller?.keyId };
  if (failure === undefined) log.debug(line, 'answered');
  else log.error({ ...line, error: failure }, 'the request could not be answered');
}
