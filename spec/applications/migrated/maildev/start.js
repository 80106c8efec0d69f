const path = require('node:path');
const mailserver = require('./package/lib/mailserver');
const web = require('./package/lib/web');

require('./package/lib/logger').setLevel?.(0);
mailserver.create(0, '127.0.0.1', path.join(__dirname, 'mails'));
mailserver.loadMailsFromDirectory();
setTimeout(() => web.start(3000, '127.0.0.1', mailserver, undefined, undefined, '/mails', {}), 500);
