// Runs a world in the tab.

import "./tab.css";
import { el } from "../dom";
import { textOf } from "../source";
import { worldOf } from "./address";
import { listWorlds } from "./files";
import { Tab } from "./tab";
import { type Schema, Vocabulary } from "./vocabulary";

async function readVocabulary(): Promise<Vocabulary> {
  return new Vocabulary((await (await fetch("schema.json")).json()) as Schema);
}

async function begin(): Promise<void> {
  const page = window.simhostPage;
  if (page === undefined) throw new Error("app.js is missing");
  if (window.location.protocol === "file:") {
    throw new Error("browsers do not let a page on a disk read its files; serve the folder, for instance with “python3 -m http.server”");
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
