/** Requests to an application, read from a file. */
import type { Exchange, HeaderList, Request } from '../client/messages';
import type { LeftOut } from '../judge/report';
import type { Secrets } from '../recorder/secrets';

export interface Traffic {
  /** The name of the file, for messages. */
  readonly name: string;
  readonly requests: readonly RecordedRequest[];
  /** The entries of the file that are not played. */
  readonly leftOut: readonly LeftOut[];
  /** The values that the recording has masked in its requests, if they were kept. */
  readonly secrets: Secrets;
}

export interface RecordedRequest extends Request {
  /** The method and path, with a number if the file repeats them: `GET /orders #2`. Secrets are masked. */
  readonly id: string;
  /** The status of the recorded response, if the file has one. */
  readonly recorded?: number;
  /** The recorded response, if the file has one. */
  readonly answer?: Answer;
  /**
   * Returns the request with the parts of earlier responses that it refers to: `{{login.response.body.token}}`. Absent if it
   * refers to none.
   *
   * @throws TypeError if a response does not have the value.
   */
  fill?(seen: readonly Exchange[]): Request;
}

/** The part of a response in which values for later requests are looked for. */
export interface Answer {
  readonly headers: HeaderList;
  readonly body: string;
}
