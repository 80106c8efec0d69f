// Starts the server, and closes it after pending responses are complete.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Application } from '../framework';

/** How many milliseconds pending responses have after Ctrl-C. */
const PATIENCE = 5000;

/** @param opened Called with the URL. If the port is not available, the process ends with a message and exit code 1. */
export function serve(app: Application, port: number, opened: (url: string) => void): void {
  const server = app.listen(port, (error?: Error) => {
    if (error) {
      console.error(reasonOf(error, port));
      process.exit(1);
    }
    opened(`http://localhost:${(server.address() as AddressInfo).port}`);
  });
  // Only the first signal counts: npm forwards a Ctrl-C that the terminal has already sent.
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
  // A kept-alive connection counts as open until it is idle; at the deadline it is closed.
  setInterval(() => server.closeIdleConnections(), 50);
  setTimeout(() => server.closeAllConnections(), PATIENCE);
}

function reasonOf(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} is taken. Try another: PORT=${port + 1} npm start`;
  if (error.code === 'EACCES') return `Port ${port} is not for everybody. Try another: PORT=3000 npm start`;
  return `The desk cannot open on port ${port}: ${error.message}`;
}
