// Completes elements, attributes, classes and values of world files.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { placeAt } from "./place";
import type { OpenElement, Proposal, Vocabulary } from "./vocabulary";

/** Returns the completions at a position. */
export async function complete(context: CompletionContext, vocabulary: Promise<Vocabulary>): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  // the class of an element may follow the position
  const place = placeAt(text, context.pos);
  if (place === undefined) return null;
  const known = await vocabulary;
  const { from, path } = place;
  const options = ((): Completion[] => {
    switch (place.kind) {
      case "tag":
        return known.elements(path).map((one) => option(one, "type"));
      case "attribute":
        return known.attributes(withClass(path, text, context.pos)).map((one) => ({ ...option(one, "property"), apply: `${one.text}=""` }));
      case "value":
        return [...known.values(path, place.attribute), ...vehicleClasses(path, place.attribute, text)].map((one) => option(one, "enum"));
      case "closing": {
        const last = path[path.length - 1];
        return last === undefined ? [] : [{ label: last.tag, apply: `${last.tag}>`, type: "type" }];
      }
      case "text":
        return context.explicit || from < context.pos ? known.texts(path).map((one) => option(one, "enum")) : [];
    }
  })();
  return options.length === 0 ? null : { from, options, validFor: /^[\w:./-]*$/ };
}

function option({ text, detail, doc }: Proposal, type: string): Completion {
  return { label: text, detail, type, ...(doc === "" ? {} : { info: doc }) };
}

/** Adds the class that follows the position in the same tag. */
function withClass(path: readonly OpenElement[], text: string, position: number): readonly OpenElement[] {
  const last = path[path.length - 1];
  const rest = /^[^<>]*/.exec(text.slice(position))?.[0] ?? "";
  const name = /\sclass\s*=\s*["']([^"']*)["']/.exec(` ${rest}`)?.[1];
  return last === undefined || last.class !== undefined || name === undefined ? path : [...path.slice(0, -1), { ...last, class: name }];
}

/** Returns the names of classes of vehicles, blocks and actors that the text defines. */
function vehicleClasses(path: readonly OpenElement[], attribute: string, text: string): Proposal[] {
  const tag = path[path.length - 1]?.tag ?? "";
  if (attribute !== "class" || !["vehicle", "block", "actor"].includes(tag)) return [];
  const names = [...text.matchAll(new RegExp(`<${tag}:class\\s[^>]*?name\\s*=\\s*["']([^"']*)["']`, "g"))];
  return names.map((found) => ({ text: found[1] ?? "", detail: tag, doc: "A class of this file." }));
}
