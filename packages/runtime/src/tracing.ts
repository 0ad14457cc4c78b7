import { setTimeout as sleep } from 'node:timers/promises';

/** Unreachable collectors lose the last spans: the process waits no longer for them. */
const CLOSE_MS = 2_000;

/** Finished work: its duration, and its attributes. */
export interface DoneWork {
  name: string;
  /** In milliseconds since 1970. */
  beganAt: number;
  endedAt?: number;
  attributes: { [name: string]: string | number | boolean | undefined };
  isFailed?: boolean;
}

/** Exports finished work as OpenTelemetry spans. */
export interface Tracing {
  record(work: DoneWork): void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

export interface TracingOptions {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
}

/**
 * Sends spans by OTLP over HTTP to the endpoint, in batches and in the background; undefined without an endpoint. The
 * packages for it are loaded only where they are used. Headers, compression and time limits are those of the standard
 * variables `OTEL_EXPORTER_OTLP_…`. (OpenTelemetry Protocol Exporter, Configuration Options)
 */
export async function openTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: TracingOptions,
  { service, version }: { service: string; version: string },
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { SpanStatusCode } = await import('@opentelemetry/api');
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'dmarc-ledger',
      'service.name': `dmarc-ledger-${service}`,
      'service.version': version,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('dmarc-ledger', version);
  return {
    record({ name, beganAt, endedAt = Date.now(), attributes, isFailed = false }) {
      const span = tracer.startSpan(name, { startTime: instantOf(beganAt), attributes });
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(instantOf(endedAt));
    },
    async close() {
      const late = sleep(CLOSE_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/** Seconds and nanoseconds since 1970; a plain number might be taken for one since the start of the process. */
function instantOf(ms: number): [number, number] {
  return [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1e6)];
}
