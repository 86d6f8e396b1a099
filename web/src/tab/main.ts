// Runs a world in the tab.

import "./tab.css";
import { el } from "../dom";
import { textOf } from "../source";
import { worldOf } from "./address";
import { listWorlds } from "./files";
import { read, takeFiles } from "./resources";
import { Tab } from "./tab";
import { type Schema, Vocabulary } from "./vocabulary";

async function readVocabulary(): Promise<Vocabulary> {
  return new Vocabulary(JSON.parse(new TextDecoder().decode(await read("schema.json"))) as Schema);
}

async function begin(): Promise<void> {
  const page = window.simhostPage;
  if (page === undefined) throw new Error("app.js is missing");
  const hasFiles = await takeFiles();
  if (window.location.protocol === "file:" && !hasFiles) {
    throw new Error("browsers do not let a page on a disk read its files; serve the folder, for instance with “python3 -m http.server”, or write one file with “simhost page --out simhost.html”");
  }
  const list = await listWorlds();
  const files = await worldOf(new URL(window.location.href), list);
  new Tab(page, files, list, readVocabulary());
}

begin().catch((error: unknown) => {
  document.body.replaceChildren(
    el("div", { class: "notice error", role: "alert" }, `${textOf(error)} `, el("a", { href: window.location.pathname }, "Open the first world")),
  );
});
