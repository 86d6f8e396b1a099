// Runs in a frame with an opaque origin, whose policy allows no requests: starts the worker with scripts, and gives it the
// port on which the page talks to it.

/** Message from the page to the frame, which comes with a port. */
export interface FrameRequest { readonly code: string }

/** An error in the code of the worker that nothing in it has caught. */
export interface FrameError { readonly message: string; readonly line: number; readonly column: number }

addEventListener("message", (event: MessageEvent<FrameRequest>) => {
  if (event.source !== parent) return;
  const worker = new Worker(URL.createObjectURL(new Blob([event.data.code], { type: "text/javascript" })));
  worker.onerror = (error) => {
    error.preventDefault();
    parent.postMessage({ message: error.message, line: error.lineno, column: error.colno } satisfies FrameError, "*");
  };
  worker.postMessage({ kind: "port" }, [...event.ports]);
}, { once: true });
