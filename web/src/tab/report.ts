// The report of a check, and positions in texts.

/** A finding of `simhost check --json`. Lines and columns count from 1, columns in characters. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly label: string;
  readonly notes: readonly string[];
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly end_line: number | null;
  readonly end_column: number | null;
}

interface WorldReport { diagnostics: Finding[] }

/** Returns whether a text is a report instead of the reason of a failure. */
export function isReport(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Reads a report: that of one world, an array of such reports, or the findings alone. */
export function findingsOf(json: string): Finding[] {
  const value = JSON.parse(json) as WorldReport | (WorldReport | Finding)[];
  if (!Array.isArray(value)) return value.diagnostics;
  return value.flatMap((one) => ("diagnostics" in one ? one.diagnostics : [one]));
}

/** Returns the offset of a line and a column in a text, in the units of JavaScript. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf("\n", start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  const letters = [...text.slice(start, end < 0 ? text.length : end)];
  return start + letters.slice(0, column - 1).join("").length;
}
