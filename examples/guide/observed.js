// The example of docs/logging.md: ids for each request, and one line of the Elastic Common Schema for each response.
const nozomi = require('nozomi');
const { context, getContext } = require('nozomi/extras');
const logger = require('nozomi/logger');

const app = nozomi();
app.use(context({ genReqId: () => 'one' }));
// Each failure, and one of ten others.
app.use(logger('ecs', { skip: (_req, res) => res.statusCode < 400 && Math.random() > 0.1 }));
app.get('/', async (_req, res) => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  res.json({ id: getContext().id });
});
app.use((_err, _req, res, _next) => res.status(500).json({ id: getContext().id }));

app.listen(process.env.PORT ?? 3000);
