// An application written in TypeScript.
import express, { type Request, type Response } from 'express';

const app = express();
const greet = (name: string): string => `hello ${name}`;
app.get('/', (_req: Request, res: Response) => {
  res.send(greet('types'));
});
app.listen(3000);
