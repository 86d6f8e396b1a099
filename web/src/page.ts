// The page for scripts that run a simulation in the tab.

import { App, type Panel } from "./app";
import { el } from "./dom";
import { LiveSource } from "./live";
import type { Source } from "./source";
import { Stage } from "./stage";
import type { Transport } from "./transport";

declare global { interface Window { simhost?: App; simhostPage?: Page } }

/** The page for the script of a tab. */
export interface Page {
  /** Shows a server to which a function connects, with further panels on the left. */
  begin(connect: () => Transport, panels: readonly Panel[]): { app: App; source: LiveSource };
}

/** Shows a source. */
export function show(source: Source, panels: readonly Panel[] = []): App {
  const canvas = el("canvas", { class: "stage", tabindex: 0, "aria-label": "The world in 3-D" });
  const app = new App(new Stage(canvas), source, panels);
  window.simhost = app;
  source.open(app);
  return app;
}

export const PAGE: Page = {
  begin: (connect, panels) => {
    const source = new LiveSource(connect);
    return { app: show(source, panels), source };
  },
};
