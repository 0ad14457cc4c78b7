export { beginUpload, endUpload, enlargeUpload, type UploadKey, type UploadUse } from './under-way.ts';
