// Who is measured. `claims` says whose bytes a peer writes: those that claim Express's must equal the reference's.
import type { Server } from 'node:http';

export interface Peer {
  claims: 'express' | 'own';
  /** @returns The server, listening or about to; undefined for a workload the peer has no program for. */
  serve(workload: string, files: string): Server | undefined | Promise<Server | undefined>;
}

export const PEERS: Readonly<Record<string, Peer>> = {
  bare: { claims: 'express', serve: async (workload) => (await import('./bare.js')).serve(workload) },
  'bare again': { claims: 'express', serve: async (workload) => (await import('./bare.js')).serve(workload) },
  nozomi: {
    claims: 'express',
    serve: async (workload, files) => {
      const { serve } = await import('./express-like.js');
      return serve(workload, require('nozomi'), require('nozomi/logger'), files);
    },
  },
  express: {
    claims: 'express',
    serve: async (workload, files) => {
      const { serve } = await import('./express-like.js');
      return serve(workload, require('express'), require('morgan'), files);
    },
  },
};
