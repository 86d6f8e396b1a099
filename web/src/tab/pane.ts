// The panel with the texts of a world: what can be chosen, edited, run, shared and saved.

import { button, el } from "../dom";
import { isText, type ListedWorld, type WorldFiles } from "./files";
import type { Finding } from "./report";
import { TEMPLATES } from "./script/templates";
import { TextPane } from "./textpane";
import type { Vocabulary } from "./vocabulary";

/** Actions of the panel. */
export interface PaneActions {
  run(): void;
  share(): void;
  saveWorld(): void;
  saveRun(): void;
  takeChanges(): void;
  choose(world: string): void;
  add(files: readonly File[]): void;
  /** Adds a script with a model of a kind. */
  create(kind: string): void;
  edited(path: string, text: string): void;
}

/** Findings that are listed. */
const MOST = 50;

export class WorldPane {
  readonly element = el("section", { class: "pane" });
  private readonly worlds = el("select", { "aria-label": "World", title: "World", change: () => this.actions.choose(this.worlds.value) });
  private readonly paths = el("select", { "aria-label": "File", title: "File of the world", change: () => this.showPath(this.paths.value) });
  private readonly usesCommands = el("input", { type: "checkbox", change: () => this.actions.run() });
  private readonly commands = el("label", { class: "check", title: "Run the world with the commands of its file" }, this.usesCommands, "Commands");
  private readonly summary = el("p", { class: "summary", role: "status" });
  private readonly list = el("div", { class: "findings" });
  private readonly text: TextPane;
  private readonly kinds = el("select", {
    "aria-label": "New model", title: "Add a model in JavaScript to the world, for learning. It does not promise the same bits in every browser",
    change: () => this.create(),
  });
  private readonly upload = el("input", { type: "file", multiple: true, hidden: true, change: () => this.read() });
  private files: WorldFiles | undefined;
  private findings: readonly Finding[] = [];

  constructor(private readonly known: readonly ListedWorld[], vocabulary: Promise<Vocabulary>, private readonly actions: PaneActions) {
    this.text = new TextPane(vocabulary);
    this.text.onChange = (path, text) => actions.edited(path, text);
    this.text.onRun = () => actions.run();
    this.kinds.append(el("option", { value: "" }, "New model…"), ...TEMPLATES.map((kind) => el("option", { value: kind }, kind)));
    this.element.append(
      el("div", { class: "row" }, this.worlds, this.paths),
      el("div", { class: "row" },
        button("Run", "Check the world and run it from the start (Ctrl+Enter)", () => actions.run(), "primary"),
        this.commands,
        button("Share", "Copy a link that contains this world", () => actions.share()),
        button("Save world", "Download the world as a file", () => actions.saveWorld()),
        button("Save run", "Download the run as a folder that “simhost rerun” repeats", () => actions.saveRun())),
      this.text.element, this.summary, this.list,
      el("div", { class: "row" },
        button("Add files…", "Add images, meshes, tables or models that the world names; or drop them on the page", () => this.upload.click()), this.upload, this.kinds,
        button("Take changes", "Put the world with all changes of the panel Edit into the text", () => actions.takeChanges())),
    );
  }

  private create(): void {
    const kind = this.kinds.value;
    this.kinds.value = "";
    if (kind !== "") this.actions.create(kind);
  }

  private read(): void {
    this.actions.add([...(this.upload.files ?? [])]);
    this.upload.value = "";
  }

  /** Shows the files of a world, its own file first. */
  show(files: WorldFiles): void {
    if (this.files?.world !== files.world) this.text.forget();
    this.files = files;
    const names = this.known.map(({ path }) => path);
    if (!names.includes(files.world)) names.unshift(files.world);
    this.worlds.replaceChildren(...names.map((path) => el("option", { value: path }, path.replace(/\.world\.xml$/, ""))));
    this.worlds.value = files.world;
    this.refresh();
    this.showPath(files.world);
  }

  /** Lists the files of the world anew. */
  refresh(): void {
    const { value } = this.paths;
    const paths = this.files?.paths ?? [];
    this.paths.replaceChildren(...paths.map((path) => el("option", { value: path, disabled: !isText(path) }, path)));
    this.paths.hidden = paths.length < 2;
    if (paths.includes(value)) this.paths.value = value;
    this.commands.hidden = this.files?.commands === undefined;
  }

  /** The path of the command file with which the world is to run. */
  get chosenCommands(): string | undefined {
    return this.usesCommands.checked ? this.files?.commands : undefined;
  }

  /** Shows a file of the world. */
  showPath(path: string): void {
    if (this.files === undefined) return;
    this.paths.value = path;
    this.text.show(path, this.files.text(path));
    this.mark();
  }

  /** Replaces the text of the world file. */
  replace(text: string): void {
    if (this.files === undefined) return;
    this.showPath(this.files.world);
    this.text.replace(text);
  }

  /** Shows a sentence about the world, such as that it is being checked. */
  say(text: string, isBad = false): void {
    this.summary.textContent = text;
    this.summary.classList.toggle("error", isBad);
  }

  /** Shows what is wrong with the world. */
  report(findings: readonly Finding[]): void {
    this.findings = findings;
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
    const warnings = findings.length - errors;
    const parts = [errors > 0 ? count(errors, "error") : "", warnings > 0 ? count(warnings, "warning") : ""].filter((part) => part !== "");
    this.say(parts.length === 0 ? "No errors" : parts.join(", "), errors > 0);
    this.list.replaceChildren(...findings.slice(0, MOST).map((finding) => this.row(finding)));
    this.mark();
  }

  /** Adds errors of a step to what is wrong with the world. */
  add(faults: readonly Finding[]): void {
    const isNew = (fault: Finding): boolean => !this.findings.some(({ file, message }) => file === fault.file && message === fault.message);
    this.report([...faults.filter(isNew), ...this.findings]);
  }

  private row(finding: Finding): HTMLElement {
    const { line, column, severity, message, notes } = finding;
    const path = this.pathOf(finding);
    const inOther = path !== undefined && path !== this.files?.world ? `${path}:` : "";
    const place = line === null ? "" : `${inOther}${line}:${column ?? 1}`;
    return el("button", { type: "button", class: `finding ${severity}`, click: () => this.goTo(finding) },
      el("span", { class: "where" }, place), el("span", {}, message), ...notes.map((note) => el("span", { class: "note" }, note)));
  }

  private goTo(finding: Finding): void {
    const path = this.pathOf(finding);
    if (path === undefined || finding.line === null) return;
    if (path !== this.paths.value) this.showPath(path);
    this.text.goTo(finding.line, finding.column ?? 1);
  }

  /** Returns the path of a finding among the files of the world. */
  private pathOf({ file }: Finding): string | undefined {
    if (file === null) return undefined;
    const plain = file.replace(/^(\.?\/)+/, "");
    return this.files?.paths.find((path) => path === plain) ?? this.files?.paths.find((path) => plain.endsWith(`/${path}`));
  }

  private mark(): void {
    this.text.mark(this.findings.filter((finding) => finding.line !== null && this.pathOf(finding) === this.paths.value));
  }
}
