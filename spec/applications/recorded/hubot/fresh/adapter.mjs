import { EventEmitter } from 'node:events';

class Quiet extends EventEmitter {
  run() {
    this.emit('connected');
  }
  close() {}
  async send() {}
}
export default { use: () => new Quiet() };
