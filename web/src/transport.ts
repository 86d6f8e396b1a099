// How the messages of a live server reach the page and those of the page the server.

/** The end of a connection. */
export interface Closing {
  readonly text: string;
  /** Whether the run itself has ended. */
  readonly isOver: boolean;
  /** Whether another attempt to connect can succeed. */
  readonly canRetry: boolean;
}

/** A connection to a live server, which carries the frames of the Foxglove WebSocket protocol. */
export interface Transport {
  /** Where the server is, for people. */
  readonly address: string;
  /** Whether frames can be sent. */
  readonly isOpen: boolean;
  onmessage: (frame: string | ArrayBuffer) => void;
  onclose: (closing: Closing) => void;
  send(frame: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
  /** Returns an asset on a way of its own, if the transport has one. */
  asset?(name: string): Promise<ArrayBuffer>;
}
