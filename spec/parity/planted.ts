/** Requests with secrets, for the specs of recordings and reports. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { get, post, type Step } from '../../parity/client/request';

/** The secrets in `PLANTED`. No recording and no report may contain one of them. */
export const SECRETS: string[] = [];

/** Returns a new secret. */
function secret(): string {
  const number = 100 + SECRETS.length;
  return planted(`hidden${number}secret${number}`);
}

function planted(text: string): string {
  SECRETS.push(text);
  return text;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary="--cut"' };

function jsonOf(names: string): string {
  return JSON.stringify(Object.fromEntries(names.split(' ').map((name) => [name, secret()])));
}

function queryOf(names: string): string {
  return names
    .split(' ')
    .map((name) => `${name}=${secret()}`)
    .join('&');
}

function headersOf(names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, secret()]));
}

function parts(...list: ReadonlyArray<readonly [head: string, content: string | Buffer]>): Buffer {
  return Buffer.concat([
    ...list.flatMap(([head, content]) => [
      Buffer.from(`----cut\r\n${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('----cut--\r\n'),
  ]);
}

const field = (name: string, rest = ''): string => `Content-Disposition: form-data; name=${name}${rest}`;

export const PLANTED: readonly Step[] = [
  post(
    '/json',
    jsonOf(
      'password newPassword password2 confirm_password oldPassword passwort passphrase pass userpassword credential ' +
        'accessToken refresh-token idToken sessionToken apiKey api-key access_key aws_secret_access_key clientSecret ' +
        'privateKey key bearer totp mfa_code otp cvc sessionId signature X-Auth-Token resetCode hash phoneNumber',
    ),
    JSON_TYPE,
  ),
  post(
    '/nested',
    JSON.stringify({
      token: [secret(), { deep: secret() }],
      secret: { v: secret(), list: [[secret()]] },
      pin: 73_519_482,
      fields: [{ name: 'password', value: secret() }],
      text: JSON.stringify({ password: secret(), again: JSON.stringify({ apiKey: secret() }) }),
      url: `https://files.test/a.txt?X-Amz-Signature=${secret()}&X-Amz-Credential=${secret()}`,
      database: `postgres://shop:${secret()}@db.test/shop`,
      query: `mutation { login(password: "${secret()}", pin: '${secret()}') { token } }`,
      key_file: `-----BEGIN PRIVATE KEY-----\n${secret()}\n-----END PRIVATE KEY-----\n`,
      note: `Authorization: Bearer ${secret()}`,
      headers: [['x-api-key', secret()]],
      card: { number: planted('4242424242424242') },
      mail: planted('ann@private.example'),
    }),
    JSON_TYPE,
  ),
  post(
    '/escaped',
    `{"pass\\u0077ord":"${secret()}", "token" : "a\\"${secret()}", "a":{"OTP":${planted('918273645')}}}`,
    JSON_TYPE,
  ),
  post('/incomplete', `{"password":"${secret()}","token":["${secret()}"],"secret":"${secret()}`, JSON_TYPE),
  post('/lines', `{"password":"${secret()}"}\n{"a":{"accessToken":"${secret()}"}}\n`, {
    'Content-Type': 'application/x-ndjson',
  }),
  post('/untyped', `{"password":"${secret()}"}`, FORM),
  post(
    '/form',
    `user=a&${queryOf('password newPassword user[password] user%5Bpassword%5D p%61ssword password%3D accessToken code card[cvc]')}` +
      `&email=${planted('ben%40private.example')}&next=%2Flogin%3Ftoken%3D${secret()}&state=%7B%22password%22%3A%22${secret()}%22%7D` +
      `&twice=https%253A%252F%252Fa.test%252F%253Ftoken%253D${secret()}&sig='${secret()}'`,
    FORM,
  ),
  post(
    '/parts',
    parts(
      [field('"password"'), secret()],
      [field('"newPassword"'), secret()],
      [field('token'), secret()],
      [`${field('"token"')}\r\nContent-Type: text/plain`, secret()],
      [`Content-Type: text/plain\r\n${field('"secret"', '; filename="k.txt"')}`, secret()],
      [field('"user[apiKey]"'), secret()],
      [field('"data"'), JSON.stringify({ password: secret() })],
      [field('"mail"', `; filename="${planted('cat@private.example')}.txt"`), 'text'],
    ),
    MULTIPART,
  ),
  post(
    '/upload',
    parts(
      [field('"password"'), secret()],
      [
        `${field('"f"', '; filename="a.bin"')}\r\nContent-Type: application/octet-stream`,
        Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from(secret())]),
      ],
      [field('"note"'), `token=${secret()}`],
    ),
    MULTIPART,
  ),
  post('/gzip', gzipSync(`{"password":"${secret()}"}`), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
  post('/deflate', deflateSync(`{"password":"${secret()}"}`), {
    ...JSON_TYPE,
    'Content-Encoding': 'deflate',
  }),
  post('/brotli', brotliCompressSync(`{"password":"${secret()}"}`), {
    ...JSON_TYPE,
    'Content-Encoding': 'br',
  }),
  post('/unknown', `{"password":"${secret()}"}`, { ...JSON_TYPE, 'Content-Encoding': 'secret-zip' }),
  post('/broken', Buffer.concat([Buffer.from([0x1f]), Buffer.from(secret())]), {
    ...JSON_TYPE,
    'Content-Encoding': 'gzip',
  }),
  post('/utf16', Buffer.from(`{"password":"${secret()}"}`, 'utf16le'), {
    'Content-Type': 'application/json; charset=utf-16le',
  }),
  post('/latin1', Buffer.from(`{"name":"Zoë","password":"${secret()}"}`, 'latin1'), {
    'Content-Type': 'application/json; charset=latin1',
  }),
  post('/bytes', Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from(secret())]), {
    'Content-Type': 'application/octet-stream',
  }),
  post(
    '/xml',
    `<a:login><a:password>${secret()}</a:password><token><![CDATA[${secret()}]]></token><secret><v>${secret()}</v></secret></a:login>`,
    { 'Content-Type': 'text/xml' },
  ),
  post(
    '/page',
    `<meta name="csrf-token" content="${secret()}"><input type="hidden" name="_csrf" value="${secret()}">` +
      `<input type="password" name="p" value='${secret()}'><input value=${secret()} name=password><i data-token="${secret()}"></i>` +
      `<div data-page="{&quot;password&quot;:&quot;${secret()}&quot;}"></div><script>let s = { apiKey: "${secret()}", token: \`${secret()}\` }</script>`,
    { 'Content-Type': 'text/html' },
  ),
  post(
    '/text',
    `password=${secret()}\napi_key: "${secret()}"\nclient_secret = ${secret()}\n  password: ${secret()}\n` +
      `{ headers: { authorization: 'Bearer ${secret()}', 'x-api-key': [ '${secret()}' ] } }\n` +
      `Server=db;Password=${secret()};\nCookie: sid=${secret()}; theme=${secret()}\n`,
    { 'Content-Type': 'text/plain' },
  ),
  get(
    `/query?${queryOf('token access_token accessToken api_key key sig signature X-Amz-Signature X-Amz-Security-Token code client%5Fsecret auth%5Btoken%5D Signature')}` +
      `&jwt=eyJhbGciOi.eyJzdWIi.${secret()}&mail=${planted('dan%40private.example')}`,
  ),
  get(`/password-reset/${secret()}`),
  get(`/users/${planted('eve%40private.example')}`),
  get(`/tokens/eyJhbGciOi.eyJzdWIi.${secret()}`),
  get('/headers', {
    ...headersOf(
      'X-Api-Key X-Session-Token X-Auth X-Goog-Api-Key X-Vault-Token X-Gitlab-Token Private-Token X-Amz-Security-Token ' +
        'Ocp-Apim-Subscription-Key Cf-Access-Jwt-Assertion X-Amzn-Oidc-Data X-Csrf-Token X-Client-Secret X-Functions-Key ' +
        'X-Shopify-Access-Token Stripe-Signature Sec-WebSocket-Protocol X-Session',
    ),
    Authorization: `Basic ${planted(Buffer.from('ann:hidden-password').toString('base64'))}`,
    Cookie: `sid=${secret()}; ${secret()}; a=b=${secret()}`,
    'X-Hub-Signature-256': `sha256=${secret()}`,
    'X-Forwarded-Authorization': `Bearer ${secret()}`,
    'X-Original-Url': `/login?token=${secret()}`,
    Referer: `http://a.test/?next=%2F%3Ftoken%3D${secret()}`,
  }),
  get('/digest', { Authorization: `Digest username="${secret()}", response="${secret()}"` }),
  get('/raw', { Authorization: `${secret()} ${secret()}` }),
];
