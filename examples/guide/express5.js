// The example of docs/switching.md: middleware for Express, unchanged. In your application, `require('express')`
// returns this package if package.json has the alias.
const session = require('express-session');
const helmet = require('helmet');
const express = require('nozomi');
const logger = require('nozomi/logger');

const app = express();
app.use(logger('tiny'), helmet());
app.use(session({ secret: 'only for development', resave: false, saveUninitialized: false }));
app.get('/', (req, res) => {
  req.session.visits = (req.session.visits ?? 0) + 1;
  res.json({ visits: req.session.visits });
});

app.listen(process.env.PORT ?? 3000);
