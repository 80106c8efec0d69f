// An ES module that exports its application after a top-level await.
import express, { Router } from 'express';

const router = Router();
router.get('/', (_req, res) => res.send('hello'));
router.get('/back', (_req, res) => res.redirect('back'));

const app = express();
app.use(await Promise.resolve(router));

export default app;
