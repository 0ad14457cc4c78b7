import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ReceivedSpan {
  service: string;
  name: string;
  /** In nanoseconds since 1970. */
  beganAt: bigint;
  endedAt: bigint;
  attributes: { [name: string]: string | number | boolean };
}

/** Takes spans as an OpenTelemetry collector does: OTLP over HTTP, in JSON. */
export async function otlpReceiver() {
  const received: ReceivedSpan[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as Body;
    if (request.url === '/v1/traces') received.push(...spansIn(body));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    of: (service: string, name: string) => received.filter((span) => span.service === service && span.name === name),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number; boolValue?: boolean };
}

interface Body {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: { name: string; startTimeUnixNano: string; endTimeUnixNano: string; attributes: Attribute[] }[];
    }[];
  }[];
}

function spansIn({ resourceSpans }: Body): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, startTimeUnixNano, endTimeUnixNano, attributes }) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        name,
        beganAt: BigInt(startTimeUnixNano),
        endedAt: BigInt(endTimeUnixNano),
        attributes: valuesOf(attributes),
      })),
    ),
  );
}

function valuesOf(attributes: readonly Attribute[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? intValue ?? boolValue ?? '',
    ]),
  );
}
