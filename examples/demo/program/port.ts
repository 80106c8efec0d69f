// Reads the port to listen on.

const DEFAULT = 3000;

/** Parses the environment variable PORT; default 3000. If it is not a port, ends the process with exit code 1. */
export function readPort(text: string | undefined): number {
  if (!text) return DEFAULT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65535) return port;
  console.error(`PORT must be a whole number from 0 to 65535, got ${JSON.stringify(text)}.`);
  process.exit(1);
}
