// Messages between the page and the worker that holds the simulator.

import type { Finding } from "./report";

/** Contents of files by path. */
export type Files = Map<string, Uint8Array>;

/** What the page asks for. Each question is answered. */
export type Question =
  /** Loads the module at an address. The answer is its version. */
  | { ask: "load"; module: Blob | string }
  /** Answers as soon as the worker is idle. */
  | { ask: "ping" }
  /** Checks a world. The answer is the report of `simhost check` in JSON. */
  | { ask: "check"; files: Files; world: string }
  /** Opens a world in place of the present one. */
  | { ask: "open"; files: Files; world: string; paused: boolean; commands?: string }
  /** Returns the world with all changes as text. */
  | { ask: "saveWorld" }
  /** Returns the files of the run. */
  | { ask: "saveRun" };

/** A message of the page to the worker. */
export type Request =
  | { kind: "question"; id: number; question: Question }
  /** A frame that a client sends. */
  | { kind: "frame"; frame: string | Uint8Array }
  /** The page has read the last frames. */
  | { kind: "taken" };

/** A message of the worker to the page. */
export type Reply =
  | { kind: "answer"; id: number; value: unknown }
  /** The module has refused, for instance because the world has errors. */
  | { kind: "refusal"; id: number; reason: string }
  /** Frames of the server. */
  | { kind: "frames"; frames: (string | Uint8Array)[] }
  /** Errors of scripts in a step. */
  | { kind: "faults"; findings: Finding[] }
  /** The run has ended with an error. The module can open another world. */
  | { kind: "ended"; reason: string }
  /** The module has failed and is dead. */
  | { kind: "trap"; reason: string };
