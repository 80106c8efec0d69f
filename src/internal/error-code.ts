/**
 * Codes of the errors and warnings of this package that Express does not have. The code stays the same when the message
 * is reworded. docs/errors.md lists causes and remedies.
 */
export type ErrorCode =
  | 'NOZOMI_FETCH_BODY_READ'
  | 'NOZOMI_FETCH_CLOSED'
  | 'NOZOMI_FETCH_INVALID_URL'
  | 'NOZOMI_FETCH_NETWORK_ERROR'
  | 'NOZOMI_HOST_INVALID'
  | 'NOZOMI_HTTP2_NO_CERTIFICATE'
  | 'NOZOMI_LOG_STREAM'
  | 'NOZOMI_PACKAGE_MISSING'
  | 'NOZOMI_PACKAGE_TOO_OLD'
  | 'NOZOMI_PATH_AMBIGUOUS'
  | 'NOZOMI_SETTING_VALUE';

/** Sets the property `code` of an error and returns the error. */
export function withCode<E extends Error>(error: E, code: ErrorCode): E & { code: ErrorCode } {
  return Object.assign(error, { code });
}

/** Whether an error has the given code. Does not use `instanceof`, because the error may come from another realm. */
export function hasCode(error: unknown, code: string): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** Whether a value has the members of an error. Does not use `instanceof`, for the same reason. */
export function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;
}
