import assert from "node:assert/strict";
import { test } from "node:test";
import { placeAt } from "../src/tab/place";
import { type Schema, Vocabulary } from "../src/tab/vocabulary";

/** A piece of what `simhost schema --json` prints. */
const SCHEMA: Schema = {
  sections: [
    { id: "mvsim_world", tag: "mvsim_world", doc: "A world.", entries: [
      { name: "version", form: "attribute", type: "text", doc: "Version." },
      { name: "vehicle", form: "tag", type: "tag", sections: ["vehicle"], doc: "A vehicle." },
      { name: "element", form: "tag", type: "tag", sections: ["plane", "skybox"], doc: "Ground." },
      { name: "for", form: "tag", type: "tag", sections: ["for"], doc: "Repeats." },
      { name: "integrator", form: "tag", type: "choice", values: ["euler", "extrapolated"], default: "euler", doc: "Method." },
    ] },
    { id: "vehicle", tag: "vehicle", doc: "", entries: [
      { name: "dynamics", form: "tag", type: "tag", sections: ["dynamics"], doc: "Wheels." },
      { name: "class", form: "attribute", type: "text", doc: "Class." },
    ] },
    { id: "dynamics", tag: "dynamics", doc: "", model: "dynamics", entries: [{ name: "class", form: "attribute", type: "class", doc: "Class." }] },
    { id: "wheel", tag: "wheel", doc: "A wheel.", entries: [{ name: "diameter", form: "attribute", type: "number", unit: "m", min: 0, doc: "Diameter." }] },
    { id: "for", tag: "for", doc: "", entries: [{ name: "var", form: "attribute", type: "text", required: true, doc: "Name." }] },
    { id: "plane", tag: 'element class="plane"', doc: "A plane.", entries: [
      { name: "class", form: "attribute", type: "text", doc: "Class." }, { name: "z", form: "tag", type: "number", doc: "Height." }] },
    { id: "skybox", tag: 'element class="skybox"', doc: "A sky.", entries: [
      { name: "class", form: "attribute", type: "text", doc: "Class." }, { name: "textures", form: "tag", type: "uri", doc: "Images." }] },
  ],
  models: [{ kind: "dynamics", class: "ackermann", full_name: "simhost/ackermann", doc: "A car.", wheels: ["fl_wheel"], entries: [
    { name: "driven", form: "either", type: "choice", values: ["front", "rear"], doc: "Axles." },
    { name: "steering", form: "tag", type: "group", doc: "Actuator.", parts: [{ name: "lag", form: "either", type: "number", unit: "s", doc: "Lag." }] },
  ] }],
};
const vocabulary = new Vocabulary(SCHEMA);

/** Returns the names that are proposed at the mark `|` of a text. */
function proposed(marked: string): string[] {
  const position = marked.indexOf("|");
  const place = placeAt(marked.replace("|", ""), position);
  if (place === undefined) return [];
  const proposals = {
    tag: () => vocabulary.elements(place.path), attribute: () => vocabulary.attributes(place.path), text: () => vocabulary.texts(place.path),
    value: () => vocabulary.values(place.path, place.kind === "value" ? place.attribute : ""),
    closing: () => place.path.slice(-1).map(({ tag }) => ({ text: `/${tag}`, detail: "", doc: "" })),
  }[place.kind]();
  return proposals.map(({ text }) => text);
}

test("elements, attributes and classes are proposed where they belong", () => {
  const world = ["vehicle", "element", "for", "integrator"];
  const cases: [string, string[]][] = [
    ["<|", ["mvsim_world"]],
    ["<mvsim_world><|", world],
    ["<mvsim_world ver|", ["version"]],
    // what repeats belongs to the element around it, but has attributes of its own
    ["<mvsim_world><for var='i'><ve|", world],
    ["<mvsim_world><for |", ["var"]],
    ['<mvsim_world><vehicle><dynamics class="|', ["ackermann"]],
    ['<mvsim_world><vehicle><dynamics class="ackermann"><|', ["driven", "steering", "fl_wheel"]],
    ['<mvsim_world><vehicle><dynamics class="ackermann"><steering |', ["lag"]],
    ['<mvsim_world><vehicle><dynamics class="ackermann"><fl_wheel |', ["diameter"]],
    ['<mvsim_world><vehicle><dynamics class="ackermann"><driven>|', ["front", "rear"]],
    ['<mvsim_world><vehicle><dynamics class="ackermann" driven="|', ["front", "rear"]],
    ['<mvsim_world><element class="|', ["plane", "skybox"]],
    ['<mvsim_world><element class="skybox"><|', ["class", "textures"].slice(1)],
    ["<mvsim_world><integrator>e|", ["euler", "extrapolated"]],
    ["<mvsim_world><vehicle></|", ["/vehicle"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(proposed(text), expected, text);
});

test("comments, closed elements and incomplete tags do not mislead", () => {
  const world = ["vehicle", "element", "for", "integrator"];
  for (const text of [
    "<?xml version='1.0'?><!-- <vehicle> --><mvsim_world><vehicle/><|",
    "<mvsim_world><vehicle><dynamics></vehicle><|",
    "<mvsim_world><vehicle a='>'/><|",
    "<mvsim_world>\n <|\n <vehicle/></mvsim_world>",
    "<mvsim_world><![CDATA[<vehicle>]]><|",
  ]) assert.deepEqual(proposed(text), world, text);
  for (const text of ["<mvsim_world><!-- <|", "<mvsim_world><!-- -- |", "<mvsim_world a=|"]) assert.deepEqual(proposed(text), [], text);
});

test("any text has a place or none, and is read in linear time", () => {
  const letters = "<>/=\"' ab!-[]?\n";
  let seed = 1;
  for (let run = 0; run < 2000; run++) {
    let text = "";
    for (let i = 0; i < 40; i++) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      text += letters[Math.floor((seed / 2147483648) * letters.length)];
    }
    const place = placeAt(text, text.length);
    assert.ok(place === undefined || (place.from >= 0 && place.from <= text.length), text);
  }
  const start = performance.now();
  placeAt(`<mvsim_world>${"<vehicle a='1'>".repeat(50_000)}`, 750_000);
  placeAt("<".repeat(200_000), 200_000);
  assert.ok(performance.now() - start < 1000);
});
