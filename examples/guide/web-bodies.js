// The example of docs/web-bodies.md. It sends a Blob, a ReadableStream and a Response.
const nozomi = require('nozomi');

const app = nozomi().enable('web bodies');

app.get('/blob', (_req, res) => res.send(new Blob(['a,b\n1,2\n'], { type: 'text/csv' })));

app.get('/stream', (_req, res) => {
  let count = 0;
  const numbers = new ReadableStream({
    pull(controller) {
      if (count === 3) controller.close();
      else controller.enqueue(`${++count}\n`);
    },
  });
  res.type('txt').send(numbers);
});

app.get('/response', (_req, res) => res.send(Response.json({ made: true }, { status: 201 })));

app.listen(process.env.PORT ?? 3000);
