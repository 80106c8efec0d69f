// Starts the server. On SIGINT or SIGTERM, closes it when pending responses are complete, at the latest after PATIENCE.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Application } from '../framework';

/** How many milliseconds pending responses have to complete after SIGINT or SIGTERM. */
const PATIENCE = 5000;

/**
 * Starts the server. If it cannot listen on the port, ends the process with a message and exit code 1.
 *
 * @param opened Called with the URL when the server listens.
 */
export function serve(app: Application, port: number, opened: (url: string) => void): void {
  const server = app.listen(port, (error?: Error) => {
    if (error) {
      console.error(reasonOf(error, port));
      process.exit(1);
    }
    opened(`http://localhost:${(server.address() as AddressInfo).port}`);
  });
  // Only the first signal counts: after Ctrl-C, npm forwards the signal that the terminal has already sent.
  let closing = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!closing) close(server);
      closing = true;
    });
  }
}

function close(server: Server): void {
  console.log('\nThe desk is closing.');
  server.close(() => process.exit(0));
  // `server.close` waits for connections that are busy now. Close each when it is idle, and all others at the deadline.
  setInterval(() => server.closeIdleConnections(), 50);
  setTimeout(() => server.closeAllConnections(), PATIENCE);
}

function reasonOf(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} is taken. Try another: PORT=${port + 1} npm start`;
  if (error.code === 'EACCES')
    return `Port ${port} needs administrator rights. Try another: PORT=3000 npm start`;
  return `The desk cannot open on port ${port}: ${error.message}`;
}
