/**
 * Invalid and hostile requests, by title: the target and headers in Latin-1, as sent. Header names are in lower case,
 * because some specs create requests without a server (§2.3 §2.6 §4.4).
 */
export interface Hostile {
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const LONG = 3000;

/** Not recorded: Node.js 20 finds a path in it, and Node.js 26 does not. */
export const TWO_PORTS = 'a target with two ports';

export const HOSTILE: Readonly<Record<string, Hostile>> = {
  'a host with user information': { headers: { host: 'user:secret@evil.test:80' } },
  'a host with two ports': { headers: { host: 'own.test:80:443' } },
  'a host that is only a port': { headers: { host: ':80' } },
  'a host with a path': { headers: { host: 'own.test/../evil' } },
  'a host with a blank': { headers: { host: 'own.test evil.test' } },
  'a host in brackets that do not end': { headers: { host: '[::1' } },
  'a host in brackets, with a port of words': { headers: { host: '[::1]:http' } },
  'a host in brackets that is no address': { headers: { host: '[evil]' } },
  'an address of IPv6 without brackets': { headers: { host: '::1' } },
  'an address of IPv4 in octal': { headers: { host: '0177.0.0.1' } },
  'a host of dots': { headers: { host: '....' } },
  'a host that is empty': { headers: { host: '' } },
  'a host in unicode': { headers: { host: 'b\xfccher.test' } },
  'a host in punycode': { headers: { host: 'a.xn--bcher-kva.example.test' } },
  'a host of a thousand labels': { headers: { host: 'a.'.repeat(1000) } },
  'a host in markup': { headers: { host: '"><script>alert(1)</script>' } },
  'a forwarded host that is a URL': {
    headers: { host: 'own.test', 'x-forwarded-host': 'https://evil.test/x' },
  },
  'a forwarded host of commas': { headers: { host: 'own.test', 'x-forwarded-host': ',,,' } },
  'a forwarded protocol that is a script': { headers: { 'x-forwarded-proto': 'javascript' } },
  'a forwarded protocol of blanks and commas': { headers: { 'x-forwarded-proto': ' , ,https' } },
  'a forwarded protocol in upper case': { headers: { 'x-forwarded-proto': 'HTTPS' } },
  'a forwarded address that is none': {
    headers: { 'x-forwarded-for': '<script>, ::::, 1.1.1.1.1, 999.1.1.1' },
  },
  'forwarded addresses with ports and brackets': {
    headers: { 'x-forwarded-for': '[2001:db8::1]:80, 1.1.1.1:80' },
  },
  'forwarded addresses by the thousand': { headers: { 'x-forwarded-for': '1.1.1.1,'.repeat(LONG / 8) } },
  'a forwarded address of blanks and tabs': { headers: { 'x-forwarded-for': ' \t , \t ' } },
  'a zone in a forwarded address': { headers: { 'x-forwarded-for': 'fe80::1%eth0, ::ffff:1.1.1.1' } },
  'types by the thousand': { headers: { accept: 'text/html;q=0.1,'.repeat(LONG / 16) } },
  'one type of a thousand parameters': { headers: { accept: `text/html${';a=b'.repeat(LONG / 4)}` } },
  'types of commas': { headers: { accept: ','.repeat(LONG) } },
  'types of slashes and stars': { headers: { accept: '*/*/*, */, /*, **/**' } },
  'a quote in types that does not end': { headers: { accept: 'text/html;a="b, application/json' } },
  'weights that are no weights': { headers: { accept: 'text/html;q=NaN, application/json;q=-1, */*;q=1e9' } },
  'the name of a prototype as a type': { headers: { accept: '__proto__/constructor, text/toString' } },
  'languages by the thousand': { headers: { 'accept-language': 'en-US-x-twain;q=0.5,'.repeat(LONG / 20) } },
  'encodings that exclude everything': { headers: { 'accept-encoding': '*;q=0, identity;q=0' } },
  'charsets of garbage': { headers: { 'accept-charset': '\xff\xfe, utf-8;q=q, ;;;' } },
  'ranges by the thousand': { headers: { range: `bytes=${'0-0,'.repeat(LONG / 4)}` } },
  'a range of huge numbers': { headers: { range: `bytes=${'9'.repeat(LONG)}-${'9'.repeat(400)}` } },
  'a range of signs': { headers: { range: 'bytes=--1,+2-+3,-' } },
  'a range of another unit': { headers: { range: '__proto__=0-1' } },
  'tags by the thousand': { headers: { 'if-none-match': '"x",'.repeat(LONG / 4) } },
  'a date beyond all dates': { headers: { 'if-modified-since': 'Sat, 01 Jan 275760 00:00:00 GMT' } },
  'cache control of commas': {
    headers: { 'cache-control': `${' '.repeat(LONG)}no-cache`, 'if-none-match': '*' },
  },
  'a content type of slashes': { headers: { 'content-type': '////;;;', 'content-length': '0' } },
  'a query that names the prototype': { target: '/?__proto__=1&constructor=2&hasOwnProperty=3&toString=4' },
  'a query that reaches for the prototype': {
    target: '/?__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1',
  },
  'a query of deep brackets': { target: `/?a${'[b]'.repeat(LONG / 4)}=1` },
  'a query of a huge index': { target: '/?a[999999999]=1&a[-1]=2&a[1e9]=3' },
  'a query of ten thousand parameters': { target: `/?${'a&'.repeat(LONG)}` },
  'a query that cannot be decoded': { target: '/?%=%zz&%E0%A4=%&a=%00' },
  'a query of signs': { target: '/?=&&==&;&?#' },
  'a target of slashes': { target: '//evil.test//' },
  'a target with backslashes': { target: '/\\evil.test' },
  'a target that is a URL': { target: 'http://user:secret@evil.test:80/path?a=1' },
  [TWO_PORTS]: { target: 'http://user:secret@evil.test:80:80/path?a=1' },
  'a target with a fragment': { target: '/path#fragment?a=1' },
  'a target in unicode': { target: '/b\xfccher?\xfc=\xfc' },
};
