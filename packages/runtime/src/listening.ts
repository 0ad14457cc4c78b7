import { RuntimeError } from './errors.ts';

/** Starts a server. The error for an unavailable port or address names the variable that sets it. */
export async function listening<T>(variable: 'PORT' | 'INGEST_PORT', start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (cause) {
    const { code, port, address } = cause as NodeJS.ErrnoException & { port?: number; address?: string };
    const options = { cause };
    switch (code) {
      case 'EADDRINUSE':
        throw new RuntimeError(
          'address_in_use',
          `Port ${port} on ${address} is in use; choose another with ${variable}.`,
          options,
        );
      case 'EACCES':
        throw new RuntimeError(
          'address_in_use',
          `This user may not listen on port ${port}; choose another with ${variable}.`,
          options,
        );
      case 'EADDRNOTAVAIL':
        throw new RuntimeError(
          'address_in_use',
          `This machine does not have the address ${address}; choose another with HOST.`,
          options,
        );
      default:
        throw cause;
    }
  }
}
