// A worker with scripts. A frame with an opaque origin starts it, so that scripts of strangers have no rights of the page.

import type { Reply, Request } from "../messages";
import type { FrameError, FrameRequest } from "./frame";

/** Text and hash of the script of the frame, which the build inserts. */
declare const FRAME: { readonly script: string; readonly hash: string };

/** The policy of the frame, which its worker inherits. The frame inherits the policy of the page, too. */
const policy = (): string => `default-src 'none'; script-src '${FRAME.hash}' 'wasm-unsafe-eval'; worker-src blob:`;

/** A worker, as the page sees it. */
export class FramedWorker {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  /** Called with an error that nothing in the worker has caught. */
  onerror: ((error: FrameError) => void) | null = null;
  private readonly frame = document.createElement("iframe");
  private readonly channel = new MessageChannel();
  private isOver = false;

  constructor(code: Promise<string>) {
    this.frame.setAttribute("sandbox", "allow-scripts");
    this.frame.hidden = true;
    this.frame.title = "Scripts of the world";
    this.frame.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy()}"><script>${FRAME.script}</script>`;
    this.channel.port1.onmessage = (event: MessageEvent<Reply>) => this.onmessage?.(event);
    window.addEventListener("message", this.take);
    this.frame.addEventListener("load", () => {
      code.then((text) => {
        if (!this.isOver) this.frame.contentWindow?.postMessage({ code: text } satisfies FrameRequest, "*", [this.channel.port2]);
      }, (error: unknown) => this.onerror?.({ message: String(error), line: 0, column: 0 }));
    }, { once: true });
    document.body.append(this.frame);
  }

  postMessage(request: Request): void {
    this.channel.port1.postMessage(request);
  }

  /** Ends the worker together with its frame. */
  terminate(): void {
    this.isOver = true;
    window.removeEventListener("message", this.take);
    this.channel.port1.close();
    this.frame.remove();
  }

  private readonly take = ({ source, data }: MessageEvent<FrameError>): void => {
    if (source === this.frame.contentWindow && typeof data.message === "string") this.onerror?.(data);
  };
}
