// Editing: moving, turning, adding and removing what the world holds.

import { button, el, shown } from "./dom";
import type { Frames } from "./frames";
import type { Control, Level } from "./source";
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
/** How a change is undone: the text for people, and the calls. */
interface Undo { text: string; act(): Promise<void> }

/** Angle of one turn by a button, rad. */
const TURN = Math.PI / 12;

export class Editor {
  readonly element = el("section", { class: "panel-body" });
  private readonly undos: Undo[] = [];
  private picked = "";
  private isActive = false;
  private held: { start: Place; offset: { x: number; y: number }; last: Place } | undefined;
  private tool: "block" | "cylinder" | undefined;
  private sent = 0;
  private counter = 1;
  /** Poses that were given, which become initial poses of a saved world. */
  private readonly moved = new Map<string, Place>();
  private readonly what = el("p", { class: "hint" });
  private readonly undoButton = button("Undo", "Undo the last change (Ctrl+Z)", () => this.undo(), "wide");
  private readonly tools = new Map<string, HTMLButtonElement>();

  constructor(
    private readonly control: Control, private readonly stage: Stage, private readonly frames: Frames,
    private readonly around: Surroundings,
  ) {
    for (const [tool, text, title] of [
      ["block", "Box", "Click the ground to add a box of 1 m"], ["cylinder", "Pillar", "Click the ground to add a pillar"],
    ] as const) {
      this.tools.set(tool, button(text, title, () => this.choose(this.tool === tool ? undefined : tool), "wide"));
    }
    this.element.append(
      el("h2", {}, "Selected"), this.what,
      el("div", { class: "row" },
        button("⟲", "Turn to the left by 15°", () => void this.turn(TURN), "wide"),
        button("⟳", "Turn to the right by 15°", () => void this.turn(-TURN), "wide"),
        button("Remove", "Remove it from the world (Del)", () => this.removePicked(), "wide")),
      el("h2", {}, "Add"), el("div", { class: "row" }, ...this.tools.values()),
      el("div", { class: "row" }, this.undoButton, button("Save world", "Download the world with all changes as a world file", () => void this.save(), "wide")),
      el("p", { class: "hint" }, "Drag a vehicle or a block to move it; with Alt, drag to turn it. All changes are recorded inputs, which “simhost rerun” repeats."),
    );
    this.refresh();
  }

  setActive(isActive: boolean): void {
    this.isActive = isActive;
    if (!isActive) this.choose(undefined);
  }

  private choose(tool: "block" | "cylinder" | undefined): void {
    this.tool = tool;
    for (const [name, control] of this.tools) control.classList.toggle("on", name === tool);
  }

  refresh(): void {
    const place = this.placeOf(this.picked);
    this.what.textContent = place === undefined
      ? "Nothing. Click a vehicle or a block."
      : `${this.picked}: x ${shown(place.x)} m, y ${shown(place.y)} m, ${shown((place.yaw * 180) / Math.PI)}°`;
    this.undoButton.disabled = this.undos.length === 0;
    const last = this.undos[this.undos.length - 1];
    this.undoButton.title = last === undefined ? "Undo the last change (Ctrl+Z)" : `Undo ${last.text} (Ctrl+Z)`;
  }

  private isMovable(label: string): boolean {
    if (this.around.vehicles.has(label)) return true;
    return this.around.world()?.bodies.some((one) => one.label === label && one.movable === true) ?? false;
  }

  private frameOf(label: string): number | undefined {
    return this.around.vehicles.get(label) ?? this.around.frameOf(label);
  }

  private placeOf(label: string): Place | undefined {
    const frame = label === "" ? undefined : this.frameOf(label);
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
      if (at !== undefined) void this.add(this.tool, at.x, at.y);
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
    this.remember(`the move of ${picked}`, () => this.place(picked, start));
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
    await this.place(picked, { ...start, yaw: start.yaw + by });
    this.remember(`the turn of ${picked}`, () => this.place(picked, start));
  }

  private async add(tool: "block" | "cylinder", x: number, y: number): Promise<void> {
    const taken = new Set(this.around.world()?.bodies.map((one) => one.label));
    while (taken.has(`block/added_${this.counter}`)) this.counter += 1;
    const name = `added_${this.counter++}`;
    const sides = tool === "block" ? 4 : 16;
    const radius = tool === "block" ? Math.SQRT1_2 : 0.3;
    const points = Array.from({ length: sides }, (_, i) => {
      const angle = ((i + (tool === "block" ? 0.5 : 0)) * 2 * Math.PI) / sides;
      return `<pt>${(radius * Math.cos(angle)).toFixed(4)} ${(radius * Math.sin(angle)).toFixed(4)}</pt>`;
    });
    const fragment = `<block name="${name}"><init_pose>${x.toFixed(3)} ${y.toFixed(3)} 0</init_pose>`
      + `<mass>50</mass><zmin>0</zmin><zmax>${tool === "block" ? 1 : 1.5}</zmax><color>#b08968</color>`
      + `<shape>${points.join("")}</shape></block>`;
    const isDone = await this.call("/simhost/add", { fragment });
    if (!isDone) return;
    this.choose(undefined);
    this.remember(`the addition of ${name}`, async () => { await this.call("/simhost/remove", { entity: `block/${name}` }); });
    await this.around.described();
  }

  removePicked(): void {
    const { picked } = this;
    if (picked === "" || !this.isActive) return;
    void this.call("/simhost/remove", { entity: picked }).then((isDone) => {
      if (!isDone) return;
      this.moved.delete(picked);
      this.pick("");
      void this.around.described();
    });
  }

  /** Downloads the world with all changes. */
  private async save(): Promise<void> {
    const poses = [...this.moved].map(([label, { x, y, yaw }]) => `${label} ${x} ${y} ${yaw}`).join("\n");
    const text = await this.ask("/simhost/save_world", { poses });
    if (text !== undefined) this.around.save("edited.world.xml", text);
  }

  /** Remembers how a parameter is set back. */
  parameterChanged(name: string, before: unknown): void {
    this.remember(`the change of ${name}`, async () => { this.control.setParameter(name, before); });
  }

  private remember(text: string, act: () => Promise<void>): void {
    this.undos.push({ text, act });
    if (this.undos.length > 100) this.undos.shift();
    this.refresh();
  }

  undo(): void {
    const last = this.undos.pop();
    if (last === undefined) return;
    void last.act().then(() => this.around.described());
    this.refresh();
  }

  private async call(service: string, request: object): Promise<boolean> {
    return (await this.ask(service, request)) !== undefined;
  }

  /** Calls a service and returns its message if it succeeds. */
  private async ask(service: string, request: object): Promise<string | undefined> {
    try {
      const reply = await this.control.call(service, request);
      if (reply["success"] === true) return String(reply["message"]);
      this.around.say("error", String(reply["message"]));
    } catch (error) {
      this.around.say("error", error instanceof Error ? error.message : String(error));
    }
    return undefined;
  }
}
