import type { Call } from '@dmarc-ledger/api';
import type { Tracing } from '@dmarc-ledger/runtime';

/** Reports a request as a span, by its route: without search terms and keys. (OpenTelemetry, HTTP server spans) */
export function traceCall(
  tracing: Tracing,
  { method, path, status, milliseconds = 0, caller, requestId, failure }: Call,
) {
  tracing.record({
    name: path === undefined ? method : `${method} ${path}`,
    beganAt: Date.now() - milliseconds,
    isFailed: failure !== undefined || (status ?? 0) >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': path,
      'http.response.status_code': status,
      'dmarc_ledger.request.id': requestId,
      'dmarc_ledger.org.id': caller?.orgId,
    },
  });
}
