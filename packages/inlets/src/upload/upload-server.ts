import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAcceptedType } from './accepted-types.ts';
import { placesFor, type AtOnce } from './places.ts';
import { addRawRoute, type RawHost } from './raw-route.ts';
import { addSettingsRoute, type SettingsHost } from './settings-route.ts';
import { endSlowUpload, type Pace } from './slow-sender.ts';
import { emptyUpload, notFound, sendError, unsupportedType } from './upload-errors.ts';

/** One body of an upload: bytes that must be read to their end. */
export interface UploadedBody {
  name: string | null;
  content: AsyncIterable<Uint8Array>;
}

/** The state of a delivery. */
export interface DeliveryStatus {
  id: string;
  state: string;
  [fact: string]: unknown;
}

/** An upload in progress: a body, or a form with many. */
interface Upload {
  /** Makes one body durable. Refuses with 413, 429 or 503. */
  receive(body: UploadedBody): Promise<DeliveryStatus>;
  /** Called once, however the upload ended. */
  end(): Promise<void>;
}

/** What the server needs from its caller. An `HttpProblem` that these throw becomes the response. */
export interface UploadHost {
  /** Finds the organization of the key in the raw headers (name, value, …); refuses with 401, 403 or 503. */
  admit(rawHeaders: readonly string[]): Promise<string>;
  /**
   * Begins an upload of so many bytes, null when the length is unknown; a form has the length of all its files.
   * Refuses with 413, 429 or 503.
   */
  begin(orgId: string, length: number | null, isForm: boolean): Promise<Upload>;
  find(orgId: string, id: string): Promise<DeliveryStatus | undefined>;
  /** Unset: settings cannot be changed on the pages. */
  settings?: SettingsHost | undefined;
  /** Unset: raw bytes cannot be opened on the pages. */
  raw?: RawHost | undefined;
  onFault: (error: unknown) => void;
}

const PATH = '/ingest/v1/reports';
const LINGER_MS = 2_000;
/** Without a byte either way, the sender counts as gone. */
const SILENCE_MS = 120_000;
/**
 * Connections open at a time, of all senders: each takes a file descriptor and some memory, before its key is known.
 */
const CONNECTIONS = 1_000;
const AT_ONCE: AtOnce = { organization: 100, process: 400 };
const PACE: Pace = { graceMs: 60_000, bytesPerSecond: 32 * 1024 };

export interface UploadServerOptions {
  silenceMs?: number;
  atOnce?: AtOnce;
  pace?: Pace;
}

/** The server for uploads: one body, or a form with many. Answers `202` only once the bytes are durable. */
export async function makeUploadServer(
  host: UploadHost,
  { silenceMs = SILENCE_MS, atOnce = AT_ONCE, pace = PACE }: UploadServerOptions = {},
): Promise<FastifyInstance> {
  // loaded here, because most commands receive no uploads
  const [{ default: fastify }, { default: multipart }] = await Promise.all([
    import('fastify'),
    import('@fastify/multipart'),
  ]);
  const server = fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false, // what arrives while it ends is answered, and then its connection closed
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: 0,
    connectionTimeout: silenceMs,
    keepAliveTimeout: 72_000,
  });
  server.server.maxConnections = CONNECTIONS;
  server.server.on('drop', () => server.server.closeIdleConnections());
  server.removeAllContentTypeParsers();
  await server.register(multipart, { limits: { files: 1_000, fields: 100, fileSize: Number.MAX_SAFE_INTEGER } });
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.setErrorHandler((error, _request, reply) => sendError(reply, error, host.onFault));
  server.addHook('onSend', async (request, reply) => {
    if (!request.raw.complete) reply.header('connection', 'close');
  });
  server.addHook('onResponse', async (request) => leaveBehind(request.raw));
  server.setNotFoundHandler((_request, reply) => sendError(reply, notFound('Not Found'), host.onFault));
  const placeOf = placesFor(atOnce);
  server.post(PATH, async (request, reply) => {
    const orgId = await host.admit(request.raw.rawHeaders);
    using held = new DisposableStack();
    held.use(placeOf(orgId));
    held.use(endSlowUpload(request.raw, pace));
    return await upload(host, orgId, request, reply);
  });
  server.get<{ Params: { id: string } }>(`${PATH}/:id`, async (request, reply) => {
    const orgId = await host.admit(request.raw.rawHeaders);
    const status = await host.find(orgId, request.params.id);
    if (!status) throw notFound('Delivery Not Found');
    return await reply.header('cache-control', 'private, no-store').send(status);
  });
  if (host.settings) addSettingsRoute(server, host.settings);
  if (host.raw) addRawRoute(server, host.raw);
  return server;
}

async function upload(
  host: UploadHost,
  orgId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isAcceptedType(request.headers['content-type'])) throw unsupportedType();
  const received = await receiveAll(await host.begin(orgId, lengthOf(request), request.isMultipart()), request);
  if (received.length === 0) throw emptyUpload();
  const deliveries = received.map(({ id, state }) => ({ id, state, status_url: `${PATH}/${id}` }));
  return await reply.code(202).send(deliveries.length === 1 ? deliveries[0] : { deliveries });
}

async function receiveAll(upload: Upload, request: FastifyRequest): Promise<DeliveryStatus[]> {
  const received: DeliveryStatus[] = [];
  try {
    for await (const body of bodiesOf(request)) received.push(await upload.receive(body));
  } finally {
    await upload.end();
  }
  return received;
}

/** In bytes, of the whole request; null when it comes in chunks. */
function lengthOf({ headers }: FastifyRequest): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

async function* bodiesOf(request: FastifyRequest): AsyncGenerator<UploadedBody> {
  if (!request.isMultipart()) {
    const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
    if (Number(length ?? 0) === 0 && chunked === undefined) return;
    // An early refusal must not end the connection that carries it.
    const content: AsyncIterable<Uint8Array> = request.raw.iterator({ destroyOnReturn: false });
    yield { name: null, content };
    return;
  }
  for await (const part of request.files()) yield { name: part.filename || null, content: part.file };
}

/** The rest of a refused body is read for a while, so that its sender receives the response. */
function leaveBehind(request: IncomingMessage): void {
  if (request.complete) return;
  request.resume();
  const patience = setTimeout(() => request.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(patience));
}
