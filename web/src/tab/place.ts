// Finds the elements around a position in a text, which may be incomplete XML.

import type { OpenElement } from "./vocabulary";

/** A place where something can be completed. `from` is where its text begins. */
export type Place =
  | { kind: "tag" | "attribute" | "closing" | "text"; path: OpenElement[]; from: number }
  | { kind: "value"; path: OpenElement[]; from: number; attribute: string };

const NAME = /[\w:.-]*$/;

/** Returns the place of a position, or nothing within comments. The path of an attribute ends with its own element. */
export function placeAt(text: string, position: number): Place | undefined {
  const before = text.slice(0, position);
  const path: OpenElement[] = [];
  const markup = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<[?!][^>]*(?:>|$)|<(\/?)([\w:.-]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'<>])*)(>|$|(?=<))/g;
  for (let found = markup.exec(before); found !== null; found = markup.exec(before)) {
    const [whole, slash, tag, rest = "", end] = found;
    const isOpen = markup.lastIndex === before.length && end !== ">";
    if (tag === undefined || slash === undefined) {
      if (isOpen && !/(-->|\]\]>|>)$/.test(whole)) return undefined;
    } else if (isOpen) {
      return within(path, slash, tag, rest, position);
    } else if (slash === "/") {
      closeElement(path, tag);
    } else if (!rest.trimEnd().endsWith("/")) {
      path.push(elementOf(tag, rest));
    }
    if (whole === "") markup.lastIndex += 1;
  }
  return { kind: "text", path, from: position - (NAME.exec(before.slice(before.lastIndexOf(">") + 1))?.[0].length ?? 0) };
}

function within(path: OpenElement[], slash: string, tag: string, rest: string, position: number): Place | undefined {
  if (slash === "/") return { kind: "closing", path, from: position - tag.length };
  if (rest === "") return { kind: "tag", path, from: position - tag.length };
  const own = [...path, elementOf(tag, rest)];
  const value = /([\w:.-]+)\s*=\s*(?:"([^"]*)|'([^']*))$/.exec(rest);
  if (value !== null) return { kind: "value", path: own, from: position - (value[2] ?? value[3] ?? "").length, attribute: value[1] ?? "" };
  const name = NAME.exec(rest)?.[0] ?? "";
  const isFree = /\s$/.test(rest.slice(0, rest.length - name.length));
  return isFree ? { kind: "attribute", path: own, from: position - name.length } : undefined;
}

function elementOf(tag: string, rest: string): OpenElement {
  const name = /\sclass\s*=\s*["']([^"']*)["']/.exec(rest)?.[1];
  return name === undefined ? { tag } : { tag, class: name };
}

/** Closes an element and those within it that are still open. */
function closeElement(path: OpenElement[], tag: string): void {
  const at = path.findLastIndex((one) => one.tag === tag);
  if (at >= 0) path.length = at;
}
