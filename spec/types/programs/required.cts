// A CommonJS module with `import … = require()` and `export =`.
import express = require('express');
import http = require('node:http');

const app = express();
const router: express.Router = express.Router();
app.use(router, express.static('public'));
function handle(req: express.Request, res: express.Response): void {
  res.send(req.url);
}
app.get('/', handle);
const server: http.Server = http.createServer(app);
server.listen(0);
type Make = typeof express;
const make: Make = express;
const made: ReturnType<Make> = make();
const core: express.Application = made;
export = { app: core, express };
