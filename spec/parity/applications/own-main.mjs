// Listens only if it is the main module, as newer versions of Node.js say it.
import express from 'express';

export const app = express().get('/', (_req, res) => res.send('the main module'));
if (import.meta.main) app.listen(3000);
else app.get('/', (_req, res) => res.send('imported'));
