// A module that exports its application after an asynchronous start.
import express, { Router } from 'express';

const router = Router();
router.get('/', (_req, res) => res.send('hello'));
router.get('/back', (_req, res) => res.redirect('back'));

const app = express();
app.use(await Promise.resolve(router));

export default app;
