// Connections between the page and a live server.

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
  /** Address of the server, as shown to people. */
  readonly address: string;
  /** Whether frames can be sent. */
  readonly isOpen: boolean;
  onmessage: (frame: string | ArrayBuffer) => void;
  onclose: (closing: Closing) => void;
  send(frame: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
  /** Fetches an asset outside the protocol, where the transport can. */
  asset?(name: string): Promise<ArrayBuffer>;
}
