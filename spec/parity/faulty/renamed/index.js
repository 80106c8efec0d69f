// Express with a change in each JSON response.
const express = require('../../../../node_modules/express/lib/express');
const { json } = express.response;
express.response.json = function (value) {
  return json.call(this.cookie('also', 'hidden-session'), { ...value, name: 'renamed' });
};
module.exports = express;
