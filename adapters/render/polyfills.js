// What the bundle looks for in its surroundings and goja does not have. Nothing
// here is ever called while a page is rendered to a string, but React does not load without it.
var self = globalThis;
var window = undefined;
var queueMicrotask = globalThis.queueMicrotask || ((task) => Promise.resolve().then(task));
var setTimeout = (task) => (queueMicrotask(task), 0);
var clearTimeout = () => {};
var setInterval = () => 0;
var clearInterval = () => {};
var console = { log() {}, info() {}, warn() {}, error() {}, debug() {} };
class MessageChannel {
  constructor() {
    this.port1 = {};
    this.port2 = { postMessage: () => queueMicrotask(() => this.port1.onmessage && this.port1.onmessage({})) };
  }
}
class TextEncoder {
  encode(text) {
    const utf8 = unescape(encodeURIComponent(text));
    return new Uint8Array(Array.from(utf8, (c) => c.charCodeAt(0)));
  }
}
class AbortController {
  constructor() {
    this.signal = { aborted: false, addEventListener() {}, removeEventListener() {} };
  }
  abort() {
    this.signal.aborted = true;
  }
}
