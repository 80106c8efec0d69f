// Every entry point for applications, without `esModuleInterop`.
import { expectTypeOf } from 'expect-type';
import * as express from 'nozomi';

import express3 = require('nozomi/3');
import express4 = require('nozomi/4');
import express5 = require('nozomi/5');

import { fromFetch, toFetch } from 'nozomi/fetch';
import { graceful } from 'nozomi/graceful';
import * as http2 from 'nozomi/http2';

import logger = require('nozomi/logger');

import * as morgan from 'nozomi/logger';

const app = express();
app.use(logger('dev'), morgan<express.Request>(':method', { skip: (req) => req.path === '/' }));
app.use(fromFetch(toFetch(express5())), express.static('public'));
expectTypeOf(app).toEqualTypeOf<express.Express>();
expectTypeOf(express.static).not.toBeAny();
expectTypeOf(express4.static).not.toBeAny();
expectTypeOf(express4.json).not.toBeAny();
expectTypeOf(express3.static).not.toBeAny();
expectTypeOf(express3().get).not.toBeAny();
expectTypeOf(morgan.token).not.toBeAny();

express4().use(express4.static('public'), express4.urlencoded({ extended: false }));
express3().use(express3.static('public'));
graceful(app.listen(0));
http2.createServer({ cleartext: true }, app);
