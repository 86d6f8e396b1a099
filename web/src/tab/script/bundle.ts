// Scripts as one text behind the code of the worker. They are not evaluated by a function, which the policy of the worker forbids.

import type { Finding } from "../report";

/** A file with a script. */
export interface ScriptSource { readonly path: string; readonly text: string }

/** The lines of a script in the text of the worker, which count from 1. */
export interface ScriptPlace { readonly path: string; readonly first: number; readonly lines: number }

/** The text of a worker with scripts. */
export interface Bundle { readonly text: string; readonly places: readonly ScriptPlace[] }

/** Beginning of the function of a script, in the first line of its text. */
const OPENING = "function (model) {\"use strict\";";

// a run can be repeated, so scripts have no random numbers of the browser
const BEFORE = "Math.random = () => { throw new Error(\"Math.random is not repeatable; compute random numbers from a state\"); };";

/** Appends scripts to the code of the worker, which defines `simhostScripts`. */
export function bundled(code: string, scripts: readonly ScriptSource[]): Bundle {
  let text = `${code}\n${BEFORE}\n`;
  const places: ScriptPlace[] = [];
  const count = (part: string): number => part.split("\n").length;
  const entries: string[] = [];
  let line = count(text) + 1;
  for (const { path, text: own } of scripts) {
    const place = { path, first: line, lines: count(own) };
    places.push(place);
    const entry = `[${JSON.stringify(place)}, ${OPENING}${own}\n}],\n`;
    entries.push(entry);
    line += count(entry) - 1;
  }
  text += `simhostScripts([\n${entries.join("")}]);\n`;
  return { text, places };
}

/** Returns the text of a script from its function. */
export function sourceOf(run: { toString(): string }): string {
  const whole = run.toString();
  return whole.slice(whole.indexOf("\"use strict\";") + "\"use strict\";".length, -2);
}

/** Returns where a line and column of the text of a worker are, if they are in a script. */
export function placed(places: readonly ScriptPlace[], line: number, column: number): { path: string; line: number; column: number } | undefined {
  // a brace that is missing is noticed after the end of its script
  const found = places.find(({ first, lines }) => line >= first && line <= first + lines);
  if (found === undefined) return undefined;
  const own = Math.min(line - found.first + 1, found.lines);
  const before = own === 1 ? `[${JSON.stringify(found)}, ${OPENING}`.length : 0;
  return { path: found.path, line: own, column: Math.max(column - before, 1) };
}

/** Returns the innermost place of a script in the stack of an error. */
export function raisedAt(places: readonly ScriptPlace[], error: unknown): { path: string; line: number; column: number } | undefined {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  for (const [, line, column] of stack.matchAll(/:(\d+):(\d+)\)?$/gm)) {
    const found = placed(places, Number(line), Number(column));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns an error of a script as a finding of a check. */
export function finding(path: string, line: number, column: number, message: string): Finding {
  return { severity: "error", message, label: "", notes: [], file: path, line, column, end_line: null, end_column: null };
}

interface WorldReport { file: string; errors: number; warnings: number; diagnostics: Finding[] }

/** Adds findings about scripts to a report of `simhost check --json`. */
export function withFindings(report: string, findings: readonly Finding[], world: string): string {
  if (findings.length === 0) return report;
  const all = JSON.parse(report) as WorldReport[];
  const first: WorldReport = all[0] ?? { file: world, errors: 0, warnings: 0, diagnostics: [] };
  first.diagnostics.unshift(...findings);
  first.errors += findings.length;
  return JSON.stringify([first, ...all.slice(1)]);
}
