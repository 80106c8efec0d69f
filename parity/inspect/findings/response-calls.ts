/** The methods of a response, and what their arguments must not be. */

export const RESPONDS: ReadonlySet<string> = new Set(
  'send json jsonp sendStatus redirect render sendFile download end'.split(' '),
);
/** Methods that have sent the headers when they return. */
export const SENDS: ReadonlySet<string> = new Set('send json jsonp sendStatus redirect end'.split(' '));
export const SETS_HEADER: ReadonlySet<string> = new Set(
  'set header setHeader append cookie clearCookie type vary links location'.split(' '),
);

/** A host at the start of a URL: "www.example.com", "example.com/path". */
export const HOST =
  /^(?:www\.[\w-]+\.\w|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|gov|edu|app)(?=[:/?#]|$))/i;

/** The message for a redirect to such a host. */
export function redirectsWithoutScheme(target: string): string {
  return `redirects to "${target}", which is a path relative to the URL of the request: a host needs a scheme`;
}

export function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599;
}
