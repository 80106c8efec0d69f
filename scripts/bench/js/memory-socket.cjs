// A connection in memory, which sends the same request again one turn of the event loop after each response.
const { Duplex } = require('node:stream');

/** Maximum bytes per chunk, as Node.js reads from a socket. */
const PIECE = 64 * 1024;

class MemorySocket extends Duplex {
  remoteAddress = '127.0.0.1';
  remotePort = 50_000;
  #pieces;
  #size;
  #left;
  #pending;
  #done;
  #turn;

  /**
   * @param request The bytes of the request.
   * @param size The length of one response in bytes.
   * @param count The number of responses to wait for.
   * @param done Called once, with an error if a response is longer than `size`.
   * @param turn Schedules the next request; default `setImmediate`.
   */
  constructor(request, { size, count, done, turn = setImmediate }) {
    super();
    this.#pieces = [];
    for (let at = 0; at < request.length; at += PIECE) this.#pieces.push(request.subarray(at, at + PIECE));
    this.#size = size;
    this.#left = count;
    this.#pending = size;
    this.#done = done;
    this.#turn = turn;
  }

  ask() {
    for (const piece of this.#pieces) this.push(piece);
  }

  _read() {}

  _write(chunk, _encoding, callback) {
    this.#receive(chunk.length);
    callback();
  }

  _writev(chunks, callback) {
    for (const { chunk } of chunks) this.#receive(chunk.length);
    callback();
  }

  #receive(length) {
    this.#pending -= length;
    if (this.#pending > 0) return;
    if (this.#pending < 0)
      return this.#done(
        new Error('a response is too long: all responses of a workload must have the same length'),
      );
    if (--this.#left === 0) return this.#done();
    this.#pending = this.#size;
    const turn = this.#turn;
    turn(() => this.ask());
  }

  // Methods of `net.Socket` that Node.js's HTTP server calls and `Duplex` does not have.

  setTimeout() {
    return this;
  }
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  destroySoon() {
    this.destroy();
  }
}

module.exports = { MemorySocket, PIECE };
