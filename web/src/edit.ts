// Editing: moving, turning, adding and removing what the world holds.

import { button, el, shown } from "./dom";
import type { Frames } from "./frames";
import { ask, type Control, type Level, textOf } from "./source";
import type { Stage } from "./stage";
import type { World } from "./world";

/** What the editor needs of the page. */
export interface Surroundings {
  readonly vehicles: ReadonlyMap<string, number>;
  select(label: string): void;
  say(level: Level, text: string): void;
  frameOf(label: string): number | undefined;
  world(): World | undefined;
  described(): Promise<void>;
  save(name: string, text: string): void;
}

interface Place { x: number; y: number; yaw: number }
/** A change: the text for people, and the calls that undo it and do it again. */
interface Change { text: string; undo(): Promise<unknown>; redo(): Promise<unknown> }
/** What a click on the ground adds: its piece of a world file, and how the host names it. */
interface Tool { fragment(name: string, pose: string): string; label(name: string): string; class?: string }

/** Angle of one turn by a button, rad. */
const TURN = Math.PI / 12;

/** Returns the outline of a body with a number of corners. */
function outline(sides: number, radius: number, start: number): string {
  const points = Array.from({ length: sides }, (_, i) => {
    const angle = ((i + start) * 2 * Math.PI) / sides;
    return `<pt>${(radius * Math.cos(angle)).toFixed(4)} ${(radius * Math.sin(angle)).toFixed(4)}</pt>`;
  });
  return `<shape>${points.join("")}</shape>`;
}

function body(shape: string, height: number): Tool {
  return {
    fragment: (name, pose) => `<block name="${name}"><init_pose>${pose}</init_pose><mass>50</mass><zmin>0</zmin>`
      + `<zmax>${height}</zmax><color>#b08968</color>${shape}</block>`,
    label: (name) => `block/${name}`,
  };
}

const BODIES: Record<string, Tool> = { Box: body(outline(4, Math.SQRT1_2, 0.5), 1), Pillar: body(outline(16, 0.3, 0), 1.5) };
const CLASS = "vehicle:class";

/** The text of a world file as a tree. Names of elements may have colons, which need no namespaces here. */
class WorldText {
  private readonly root: Element;

  constructor(text: string) {
    const tree = new DOMParser().parseFromString(text.replace(/<(\/?[\w-]+):/g, "<$1__"), "text/xml");
    if (tree.querySelector("parsererror") !== null) throw new Error("it is not XML without errors");
    this.root = tree.documentElement;
  }

  /** Returns the elements with a name, such as `vehicle:class`, that have names themselves. */
  all(kind: string): Element[] {
    const own = kind.replace(":", "__");
    return [this.root, ...this.root.children].filter((one) => one.tagName === own && one.hasAttribute("name"));
  }

  /** Returns the piece of an entity, if the file has it. */
  piece(label: string): string | undefined {
    const [kind, name] = label.startsWith("block/") ? ["block", label.slice(6)] : ["vehicle", label];
    const found = this.all(kind).find((one) => one.getAttribute("name") === name);
    return found === undefined ? undefined : xmlOf(found);
  }

  /** Returns what vehicles can be added: those of classes, and copies of those without one. */
  vehicles(known: ReadonlySet<string>): [string, Tool][] {
    const label = (name: string): string => name;
    const classes = this.all(CLASS).map((one): [string, Tool] => {
      // names in files of definitions have defaults: ${class|robot}
      const kind = (one.getAttribute("name") ?? "").replace(/\$\{\w+\|(.*?)\}/g, "$1");
      // a class that the world does not have comes with its first vehicle
      return [kind, { label, class: kind, fragment: (name, pose) => `${known.has(kind) ? "" : xmlOf(one)}`
        + `<vehicle name="${name}" class="${kind}"><init_pose>${pose}</init_pose></vehicle>` }];
    });
    const copies = this.all("vehicle").filter((one) => !one.hasAttribute("class")).map((one): [string, Tool] => [
      `copy of ${one.getAttribute("name")}`, { label, fragment: (name, pose) => {
        const copy = one.cloneNode(true) as Element;
        copy.setAttribute("name", name);
        for (const old of copy.querySelectorAll(":scope > init_pose, :scope > init_vel")) old.remove();
        const place = copy.ownerDocument.createElement("init_pose");
        place.textContent = pose;
        copy.prepend(place);
        return xmlOf(copy);
      } },
    ]);
    return [...classes, ...copies];
  }
}

function xmlOf(element: Element): string {
  return new XMLSerializer().serializeToString(element).replace(/<(\/?[\w-]+?)__/g, "<$1:");
}

export class Editor {
  readonly element = el("section", { class: "panel-body" });
  private readonly undos: Change[] = [];
  private readonly redos: Change[] = [];
  private picked = "";
  private isActive = false;
  private held: { start: Place; offset: { x: number; y: number }; last: Place } | undefined;
  private tool: string | undefined;
  private readonly adders = new Map(Object.entries(BODIES));
  private sent = 0;
  private counter = 1;
  /** Poses that were given, which become initial poses of a saved world. */
  private readonly moved = new Map<string, Place>();
  private readonly what = el("p", { class: "hint" });
  private readonly undoButton = button("Undo", "Undo the last change (Ctrl+Z)", () => this.undo(), "wide");
  private readonly redoButton = button("Redo", "Do it again (Ctrl+Y)", () => this.redo(), "wide");
  private readonly tools = new Map<string, HTMLButtonElement>();
  private readonly kinds = el("select", { "aria-label": "Kind of vehicle", change: () => this.choose(this.kinds.value) });
  private readonly file = el("input", { type: "file", accept: ".xml", hidden: true, change: () => void this.readFile() });

  constructor(
    private readonly control: Control, private readonly stage: Stage, private readonly frames: Frames,
    private readonly around: Surroundings,
  ) {
    for (const tool of Object.keys(BODIES)) {
      this.tools.set(tool, button(tool, `Click the ground to add a ${tool.toLowerCase()}`, () => this.choose(this.tool === tool ? undefined : tool), "wide"));
    }
    this.offer([]);
    this.element.append(
      el("h2", {}, "Selected"), this.what,
      el("div", { class: "row" },
        button("⟲", "Turn to the left by 15°", () => void this.turn(TURN), "wide"),
        button("⟳", "Turn to the right by 15°", () => void this.turn(-TURN), "wide"),
        button("Remove", "Remove it from the world (Del)", () => this.removePicked(), "wide")),
      el("h2", {}, "Add"), el("div", { class: "row" }, ...this.tools.values()),
      el("div", { class: "row" }, this.kinds, button("File…", "Read kinds of vehicles from a world file or a file of definitions", () => this.file.click(), "wide"), this.file),
      el("div", { class: "row" }, this.undoButton, this.redoButton, button("Save world", "Download the world with all changes as a world file", () => void this.save(), "wide")),
      el("p", { class: "hint" }, "Drag a vehicle or a block to move it; with Alt, drag to turn it. All changes are recorded inputs, which “simhost rerun” repeats; they act with the next step."),
    );
    this.refresh();
  }

  setActive(isActive: boolean): void {
    this.isActive = isActive;
    if (!isActive) this.choose(undefined);
    else if (this.kinds.options.length < 2) void this.text("").then((world) => {
      world?.all(CLASS).forEach((one) => this.classes.add(one.getAttribute("name") ?? ""));
      if (world !== undefined) this.offer(world.vehicles(this.classes));
    });
  }

  /** Forgets changes and classes of another simulation. */
  forget(): void {
    this.undos.length = this.redos.length = 0;
    this.moved.clear();
    this.classes.clear();
    for (const name of this.adders.keys()) if (!(name in BODIES)) this.adders.delete(name);
    this.offer([]);
    this.pick("");
  }

  /** Vehicle classes that the world has. */
  private readonly classes = new Set<string>();

  /** Offers further kinds of vehicles. */
  private offer(kinds: [string, Tool][]): void {
    kinds.forEach(([name, tool]) => this.adders.set(name, tool));
    const names = [...this.adders.keys()].filter((name) => !(name in BODIES));
    this.kinds.replaceChildren(el("option", { value: "" }, "Vehicle…"), ...names.map((name) => el("option", { value: name }, name)));
  }

  private async readFile(): Promise<void> {
    const file = this.file.files?.[0];
    this.file.value = "";
    if (file === undefined) return;
    try {
      const found = new WorldText(await file.text()).vehicles(this.classes);
      if (found.length === 0) throw new Error("it has no vehicles and no classes of them");
      this.offer(found);
      this.choose(found[0]?.[0]);
    } catch (error) {
      this.around.say("error", `${file.name} cannot be used: ${textOf(error)}`);
    }
  }

  private choose(tool: string | undefined): void {
    this.tool = tool === "" ? undefined : tool;
    for (const [name, control] of this.tools) control.classList.toggle("on", name === tool);
    this.kinds.value = this.tool === undefined || this.tools.has(this.tool) ? "" : this.tool;
  }

  refresh(): void {
    const place = this.placeOf(this.picked);
    this.what.textContent = place === undefined
      ? "Nothing. Click a vehicle or a block."
      : `${this.picked}: x ${shown(place.x)} m, y ${shown(place.y)} m, ${shown((place.yaw * 180) / Math.PI)}°`;
    for (const [control, stack, text] of [[this.undoButton, this.undos, "Undo"], [this.redoButton, this.redos, "Repeat"]] as const) {
      const last = stack[stack.length - 1];
      control.disabled = last === undefined;
      control.title = `${text} ${last?.text ?? "the last change"} (Ctrl+${stack === this.undos ? "Z" : "Y"})`;
    }
  }

  private isMovable(label: string): boolean {
    if (this.around.vehicles.has(label)) return true;
    return this.around.world()?.bodies.some((one) => one.label === label && one.movable === true) ?? false;
  }

  private placeOf(label: string): Place | undefined {
    const frame = this.around.vehicles.get(label) ?? this.around.frameOf(label);
    if (frame === undefined) return undefined;
    const { x, y, yaw } = this.frames.pose(frame);
    return { x, y, yaw };
  }

  pick(label: string): void {
    this.picked = this.around.vehicles.has(label) || label.startsWith("block/") ? label : "";
    this.refresh();
  }

  /** Begins to move what is under the pointer, or adds something there. */
  grab(event: PointerEvent): boolean {
    if (!this.isActive) return false;
    if (this.tool !== undefined) {
      const at = this.stage.pointAt(event, 0);
      const tool = this.adders.get(this.tool);
      if (at !== undefined && tool !== undefined) void this.add(tool, at.x, at.y);
      return true;
    }
    const hit = this.stage.pick(event);
    const label = hit?.instance.label.split(" wheel ")[0] ?? "";
    if (hit === undefined || !this.isMovable(label)) return false;
    this.pick(label);
    if (this.around.vehicles.has(label)) this.around.select(label);
    const start = this.placeOf(label);
    const at = this.stage.pointAt(event, hit.point.z);
    if (start === undefined || at === undefined) return false;
    this.held = { start, offset: { x: start.x - at.x, y: start.y - at.y }, last: start };
    return true;
  }

  drag(event: PointerEvent): void {
    const { held } = this;
    const at = this.stage.pointAt(event, 0);
    if (held === undefined || at === undefined) return;
    const last = event.altKey
      ? { ...held.start, yaw: Math.atan2(at.y - held.start.y, at.x - held.start.x) }
      : { ...held.start, x: at.x + held.offset.x, y: at.y + held.offset.y };
    held.last = last;
    const now = performance.now();
    // a message per 50 ms follows the hand well enough
    if (now - this.sent < 50) return;
    this.sent = now;
    void this.place(this.picked, last);
  }

  drop(): void {
    const { held, picked } = this;
    this.held = undefined;
    if (held === undefined) return;
    const { start, last } = held;
    if (start.x === last.x && start.y === last.y && start.yaw === last.yaw) return;
    void this.place(picked, last);
    this.remember({ text: `the move of ${picked}`, undo: () => this.place(picked, start), redo: () => this.place(picked, last) });
  }

  private async place(label: string, { x, y, yaw }: Place): Promise<void> {
    this.moved.set(label, { x, y, yaw });
    await this.call("/simhost/set_pose", { entity: label, x, y, yaw });
    setTimeout(() => this.refresh(), 80);
  }

  private async turn(by: number): Promise<void> {
    const { picked } = this;
    const start = this.placeOf(picked);
    if (start === undefined || !this.isMovable(picked)) return this.around.say("warning", "select something that can move");
    const end = { ...start, yaw: start.yaw + by };
    await this.place(picked, end);
    this.remember({ text: `the turn of ${picked}`, undo: () => this.place(picked, start), redo: () => this.place(picked, end) });
  }

  private async add(tool: Tool, x: number, y: number): Promise<void> {
    const isTaken = (name: string): boolean =>
      this.around.vehicles.has(name) || (this.around.world()?.bodies.some((one) => one.label === `block/${name}`) ?? false);
    while (isTaken(`added_${this.counter}`)) this.counter += 1;
    const name = `added_${this.counter++}`;
    const act = (): Promise<boolean> => this.call("/simhost/add", { fragment: tool.fragment(name, `${x.toFixed(3)} ${y.toFixed(3)} 0`) });
    if (!(await act())) return;
    if (tool.class !== undefined) this.classes.add(tool.class);
    this.choose(undefined);
    this.remember({ text: `the addition of ${name}`, undo: () => this.remove(tool.label(name)), redo: act });
    await this.around.described();
  }

  /** Returns the present world as a tree, with the pose of an entity at which it is now. */
  private async text(label: string): Promise<WorldText | undefined> {
    const poses = new Map(this.moved);
    const place = this.placeOf(label);
    if (place !== undefined) poses.set(label, place);
    const lines = [...poses].map(([one, { x, y, yaw }]) => `${one} ${x} ${y} ${yaw}`);
    const text = await this.ask("/simhost/save_world", { poses: lines.join("\n") });
    return text === undefined ? undefined : new WorldText(text);
  }

  private async pieceOf(label: string): Promise<string | undefined> {
    return (await this.text(label))?.piece(label);
  }

  private remove(label: string): Promise<boolean> {
    this.moved.delete(label);
    return this.call("/simhost/remove", { entity: label });
  }

  removePicked(): void {
    if (this.picked !== "" && this.isActive) void this.removeEntity(this.picked);
  }

  /** Removes an entity. Undoing it adds the same entity again, at rest where it was. */
  private async removeEntity(label: string): Promise<void> {
    const fragment = await this.pieceOf(label);
    if (!(await this.remove(label))) return;
    if (fragment !== undefined) {
      this.remember({ text: `the removal of ${label}`, undo: () => this.call("/simhost/add", { fragment }), redo: () => this.remove(label) });
    }
    this.pick("");
    await this.around.described();
  }

  /** Downloads the world with all changes. */
  private async save(): Promise<void> {
    const poses = [...this.moved].map(([label, { x, y, yaw }]) => `${label} ${x} ${y} ${yaw}`).join("\n");
    const text = await this.ask("/simhost/save_world", { poses });
    if (text !== undefined) this.around.save("edited.world.xml", text);
  }

  /** Remembers how a parameter is set back. */
  parameterChanged(name: string, before: unknown, after: unknown): void {
    const set = async (value: unknown): Promise<void> => this.control.setParameter(name, value);
    this.remember({ text: `the change of ${name}`, undo: () => set(before), redo: () => set(after) });
  }

  private remember(change: Change): void {
    this.undos.push(change);
    this.redos.length = 0;
    if (this.undos.length > 100) this.undos.shift();
    this.refresh();
  }

  undo(): void {
    this.repeat(this.undos, this.redos, (change) => change.undo());
  }

  redo(): void {
    this.repeat(this.redos, this.undos, (change) => change.redo());
  }

  private repeat(from: Change[], to: Change[], act: (change: Change) => Promise<unknown>): void {
    const change = from.pop();
    if (change === undefined) return;
    to.push(change);
    void act(change).then(() => this.around.described());
    this.refresh();
  }

  private async call(service: string, request: object): Promise<boolean> {
    return (await this.ask(service, request)) !== undefined;
  }

  /** Calls a service and returns its message if it succeeds. */
  private ask(service: string, request: object): Promise<string | undefined> {
    return ask(this.control, service, request).catch((error: unknown) => {
      this.around.say("error", textOf(error));
      return undefined;
    });
  }
}
