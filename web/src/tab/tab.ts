// A world in a tab: its files, the simulator that runs it, and the panel with its texts.

import { zipSync } from "fflate";
import type { App } from "../app";
import { download } from "../dom";
import type { LiveSource } from "../live";
import type { Page } from "../page";
import { textOf } from "../source";
import type { Transport } from "../transport";
import { Checker } from "./checker";
import { type DroppedFile, readDrop, readFiles } from "./dropped";
import { isText, type ListedWorld, WorldFiles } from "./files";
import { packed } from "./link";
import { WorldPane } from "./pane";
import { findingsOf } from "./report";
import { templateOf } from "./script/templates";
import { scriptsOf, SimulatorWorker } from "./simulator";
import { WorkerTransport } from "./transport";
import type { Vocabulary } from "./vocabulary";

/** Time after the last key until the world is checked, ms. */
const PAUSE = 300;
/** Time within which a running world makes way for the next one, ms. */
const PATIENCE = 2000;

export class Tab {
  readonly app: App;
  private readonly source: LiveSource;
  private readonly pane: WorldPane;
  private readonly checker = new Checker();
  private worker = new SimulatorWorker();
  private timer: number | undefined;
  /** Number of the last request for a check; older ones are void. */
  private checks = 0;
  private isPaused = false;
  /** Whether a text differs from what was saved or shared. */
  private isUnsaved = false;

  constructor(page: Page, private files: WorldFiles, private readonly list: readonly ListedWorld[], vocabulary: Promise<Vocabulary>) {
    this.pane = new WorldPane(list, vocabulary, {
      run: () => this.attempt(this.run()),
      share: () => this.attempt(this.share()),
      saveWorld: () => this.saveWorld(),
      saveRun: () => this.attempt(this.saveRun()),
      takeChanges: () => this.attempt(this.takeChanges()),
      choose: (world) => { window.location.assign(`?world=worlds/${encodeURI(world)}`); },
      add: (chosen) => this.attempt(readFiles(chosen).then((read) => this.add(read))),
      create: (kind) => this.create(kind),
      edited: (path, text) => this.edited(path, text),
    });
    this.pane.show(files);
    const begun = page.begin(() => this.connect(), [["Text", this.pane.element]]);
    [this.app, this.source] = [begun.app, begun.source];
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer !== null) this.attempt(readDrop(event.dataTransfer).then((read) => this.add(read)));
    });
    // a link that is opened in this tab changes only the part after #
    window.addEventListener("hashchange", () => window.location.reload());
    window.addEventListener("beforeunload", (event) => { if (this.isUnsaved) event.preventDefault(); });
  }

  private connect(): Transport {
    const scripts = scriptsOf(this.files.all);
    if (!this.worker.runs(scripts)) {
      this.worker.end();
      this.worker = new SimulatorWorker(scripts);
    }
    const { files: { all: files, world }, isPaused: paused } = this;
    this.pane.say("opening…");
    const commands = this.pane.chosenCommands;
    const onOpen = (): void => { this.pane.report([]); };
    return new WorkerTransport(this.worker, { files, world, paused, ...(commands === undefined ? {} : { commands }) }, {
      onOpen, onRefusal: (report) => this.pane.report(findingsOf(report)), onFaults: (faults) => this.pane.add(faults),
    });
  }

  /** Shows the error of an action that fails. */
  private attempt(work: Promise<void>): void {
    work.catch((error: unknown) => this.app.say("error", textOf(error)));
  }

  private edited(path: string, text: string): void {
    this.files.setText(path, text);
    this.isUnsaved = true;
    this.checkLater();
  }

  private checkLater(): void {
    window.clearTimeout(this.timer);
    this.pane.say("checking…");
    this.timer = window.setTimeout(() => this.attempt(this.check().then(() => {})), PAUSE);
  }

  /** Checks the world and shows what is wrong. Returns whether it can run, or nothing if a later check has replaced this one. */
  private async check(): Promise<boolean | undefined> {
    window.clearTimeout(this.timer);
    const number = ++this.checks;
    this.pane.say("checking…");
    try {
      await this.files.fetchNamed();
      this.pane.refresh();
      const findings = await this.checker.check(this.files.all, this.files.world, () => number === this.checks);
      if (findings === undefined) return undefined;
      this.pane.report(findings);
      return !findings.some(({ severity }) => severity === "error");
    } catch (error) {
      this.pane.say(textOf(error), true);
      return false;
    }
  }

  /** Runs the world from the start. The running world goes on if there are errors. */
  private async run(): Promise<void> {
    if ((await this.check()) !== true) return;
    await this.reopen(true);
  }

  private async reopen(keepsView: boolean): Promise<void> {
    // a world whose steps take very long does not keep the next one waiting
    if (!(await this.worker.isIdleWithin(PATIENCE))) this.worker.end();
    this.isPaused = this.app.facts["isPaused"] === true;
    this.app.keepsView = keepsView;
    this.source.reconnect();
  }

  /** Adds files next to the world. A world among them is opened. */
  private async add(read: readonly DroppedFile[]): Promise<void> {
    const recording = read.find(({ path }) => path.endsWith(".mcap"));
    if (recording !== undefined) throw new Error(`${recording.path} is a recording; “simhost view” shows it`);
    const world = read.find(({ path }) => path.endsWith(".world.xml"));
    if (world !== undefined) {
      this.files = WorldFiles.of(world.path, "", this.list);
      for (const { path, content } of read) this.files.add(path, content);
      await this.files.fetchNamed();
      this.pane.show(this.files);
      await this.reopen(false);
      return;
    }
    const folder = this.files.world.slice(0, this.files.world.lastIndexOf("/") + 1);
    for (const { path, content } of read) this.files.add(folder + path, content);
    this.app.say("info", `added ${read.map(({ path }) => folder + path).join(", ")}`);
    this.pane.refresh();
    await this.check();
  }

  /** Adds a script with a model of a kind next to the world. */
  private create(kind: string): void {
    const folder = this.files.world.slice(0, this.files.world.lastIndexOf("/") + 1);
    const names = [kind, ...Array.from({ length: 99 }, (_, index) => `${kind}_${index + 2}`)];
    const name = names.find((one) => !this.files.paths.includes(`${folder}${one}.js`)) ?? kind;
    const path = `${folder}${name}.js`;
    this.files.setText(path, templateOf(kind, name));
    this.isUnsaved = true;
    this.pane.refresh();
    this.pane.showPath(path);
    this.checkLater();
  }

  private async share(): Promise<void> {
    const { texts, hasOthers } = this.files.own;
    if (hasOthers) throw new Error("the world has images or meshes of yours, which a link cannot contain; save the world and share the files");
    const link = new URL(window.location.href);
    link.search = "";
    link.hash = `world=${await packed({ world: this.files.world, texts })}`;
    // does not reload the page
    window.history.replaceState(null, "", link);
    this.isUnsaved = false;
    const isCopied = await navigator.clipboard?.writeText(link.href).then(() => true, () => false) ?? false;
    const where = isCopied ? "the link is copied" : "the link is in the address bar";
    this.pane.say(`${where}: ${link.href.length} characters`);
  }

  /** Downloads the world file, or an archive if the world has several files. */
  private saveWorld(): void {
    const { world, paths, all } = this.files;
    const name = world.slice(world.lastIndexOf("/") + 1);
    if (paths.length === 1) download(name, new Blob([this.files.text(world)], { type: "application/xml" }));
    else this.downloadArchive(name.replace(/\.world\.xml$/, ""), all);
    this.isUnsaved = false;
  }

  private async saveRun(): Promise<void> {
    const files = (await this.worker.ask({ ask: "saveRun" })) as ReadonlyMap<string, Uint8Array>;
    const name = this.files.world.slice(this.files.world.lastIndexOf("/") + 1).replace(/(\.world)?\.xml$/, "");
    this.downloadArchive(`${name}-run`, files);
    this.pane.say("the run up to now is saved; later steps are not recorded");
  }

  /** Downloads files as an archive with one folder. */
  private downloadArchive(name: string, files: ReadonlyMap<string, Uint8Array>): void {
    // a worker with scripts can answer with any paths
    const inside = [...files].filter(([path]) => !path.startsWith("/") && !path.split("/").includes(".."));
    const entries = inside.map(([path, content]): [string, Uint8Array] => [`${name}/${path}`, content]);
    download(`${name}.zip`, new Blob([zipSync(Object.fromEntries(entries))], { type: "application/zip" }));
  }

  /** Puts the world with all changes of the run into the text. */
  private async takeChanges(): Promise<void> {
    if (!isText(this.files.world)) return;
    this.pane.replace((await this.worker.ask({ ask: "saveWorld" })) as string);
  }
}
