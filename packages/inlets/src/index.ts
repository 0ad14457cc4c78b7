export type { FoundFile } from './files/found-file.ts';
export { readPaths, type Unreadable } from './files/read-paths.ts';
export { UploadRefused } from './upload/upload-errors.ts';
export { makeUploadServer, type DeliveryStatus, type UploadedBody, type UploadHost } from './upload/upload-server.ts';
