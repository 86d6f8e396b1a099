// Live servers over WebSockets.

import type { Closing, Transport } from "./transport";

const PROTOCOLS = ["foxglove.sdk.v1", "foxglove.websocket.v1"];
/** Codes with which a server ends a connection: the run has ended; the client is refused. */
const [GOING_AWAY, REFUSED] = [1001, 1008];

/** A connection to a server at an address such as `ws://127.0.0.1:8765`. */
export class WebSocketTransport implements Transport {
  onmessage: (frame: string | ArrayBuffer) => void = () => {};
  onclose: (closing: Closing) => void = () => {};
  private readonly socket: WebSocket;

  constructor(readonly address: string, private readonly token: string | undefined) {
    const query = token === undefined ? "" : `?token=${encodeURIComponent(token)}`;
    const socket = this.socket = new WebSocket(`${address}/${query}`, PROTOCOLS);
    socket.binaryType = "arraybuffer";
    let wasOpen = false;
    socket.onopen = () => { wasOpen = true; };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.onmessage(event.data);
    socket.onclose = ({ code, reason }) => {
      const isOver = code === GOING_AWAY;
      const lost = reason === "" ? "the server is gone" : reason;
      const text = isOver ? "the run has ended" : wasOpen ? lost : `cannot reach ${address}`;
      this.onclose({ text, isOver, canRetry: code !== REFUSED });
    };
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(frame: string | Uint8Array<ArrayBuffer>): void {
    this.socket.send(frame);
  }

  close(): void {
    this.socket.close();
  }

  async asset(name: string): Promise<ArrayBuffer> {
    const headers = this.token === undefined ? undefined : { Authorization: `Bearer ${this.token}` };
    const origin = this.address.replace(/^ws/, "http");
    const reply = await fetch(`${origin}/asset/${encodeURIComponent(name)}`, headers ? { headers } : {});
    if (!reply.ok) throw new Error(`${name}: ${reply.status} ${reply.statusText}`);
    return reply.arrayBuffer();
  }
}
