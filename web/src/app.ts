// The page: puts the parts together.

import { Matrix4 } from "three";
import { Bus, type Taker } from "./bus";
import type { Message } from "./cdr";
import { button, download, el, isTyping } from "./dom";
import { Driver } from "./drive";
import { Editor } from "./edit";
import { Events } from "./events";
import { paint } from "./flat";
import { Frames, TransformReader } from "./frames";
import { Insets } from "./insets";
import { Layers } from "./layers";
import { Looks } from "./looks";
import { MarkerScene } from "./markers";
import { Names } from "./names";
import { Parameters } from "./parameters";
import { Plots } from "./plots";
import { Quantities } from "./quantities";
import { RunBar } from "./runbar";
import { frameMatrix, Shapes } from "./shapes";
import type { Channel, Level, Listener, Parameter, Source, State } from "./source";
import type { Stage, View } from "./stage";
import { Tree } from "./tree";
import type { Description, World } from "./world";

const MARKERS = "visualization_msgs/msg/MarkerArray";
const IMAGE = "sensor_msgs/msg/Image";
const GRID = "nav_msgs/msg/OccupancyGrid";
const TRANSFORMS = "tf2_msgs/msg/TFMessage";
const DIAGNOSTICS = "diagnostic_msgs/msg/DiagnosticArray";
const LEVELS: readonly Level[] = ["info", "warning", "error", "error"];

/** A panel of the page with its name. */
export type Panel = readonly [string, HTMLElement];

/** The page over a source of samples. */
export class App implements Listener {
  readonly frames = new Frames();
  readonly bus: Bus;
  private readonly shapes: Shapes;
  private readonly markers: MarkerScene;
  readonly layers: Layers;
  private readonly looks: Looks;
  private readonly quantities: Quantities | undefined;
  private readonly plots: Plots;
  private readonly insets: Insets;
  private readonly tree: Tree;
  private readonly names: Names;
  private readonly events = new Events();
  private readonly run: RunBar;
  private readonly driver: Driver | undefined;
  private readonly parametersPanel: Parameters | undefined;
  private readonly editor: Editor | undefined;
  private readonly taken = new Set<string>();
  /** What was in the scene and has been removed. */
  private readonly removed = new Set<string>();
  private world: World | undefined;
  private sizes = new Map<string, [number, number, number]>();
  private description: Description | undefined;
  /** Frames of the vehicles by name. */
  readonly vehicles = new Map<string, number>();
  selected = "";
  now = 0;
  private link: State = { name: "connecting", text: "" };
  private readonly title = el("h1", {}, "simhost");
  private readonly stateText = el("span", { class: "state" });
  private readonly notice = el("div", { class: "notice", hidden: true, role: "status" });
  private readonly vehicleChoice: HTMLSelectElement;
  private readonly left = el("aside", { class: "side left" });
  private readonly right = el("aside", { class: "side right" });
  private readonly viewButtons = new Map<View, HTMLButtonElement>();
  private isNewWorld = true;
  private frameCount = 0;

  /** Whether the next world keeps the view of this one, because it is the same world after a change. */
  keepsView = false;

  /** `panels` are shown on the left, before those of the page. */
  constructor(readonly stage: Stage, private readonly source: Source, private readonly panels: readonly Panel[] = []) {
    this.bus = new Bus(source);
    this.bus.onBroken = (topic, error) => this.say("error", `${topic} cannot be read: ${String(error)}`);
    this.shapes = new Shapes(stage.scene);
    this.markers = new MarkerScene(stage.scene, this.shapes, this.frames);
    this.layers = new Layers(stage.scene, this.bus, this.frames, source.control);
    this.layers.onChange = () => stage.touch();
    this.looks = new Looks(source, stage.scene, this.shapes, this.frames, this.markers);
    this.looks.onFailure = (text) => this.say("warning", text);
    this.looks.onLoaded = () => stage.touch();
    const quantities = this.quantities = source.control === undefined ? undefined : new Quantities(source.control);
    this.plots = new Plots(this.bus, quantities, () => source.tape, () => this.now);
    this.insets = new Insets(this.bus);
    this.tree = new Tree(this.bus, this.plots, this.insets, quantities);
    this.plots.onChange = () => this.tree.mark();
    this.insets.onChange = () => this.tree.mark();
    this.names = new Names(stage, this.frames);
    this.run = new RunBar(source, (level, text) => this.say(level, text));
    this.vehicleChoice = el("select", { "aria-label": "Vehicle", change: () => this.select(this.vehicleChoice.value) });
    this.tree.onSelect = (vehicle) => this.select(vehicle);
    this.events.onJump = (time) => { source.tape?.seek(time); };
    if (source.control !== undefined) {
      const { control } = source;
      const lengthOf = (name: string): number => this.sizes.get(name)?.[0] ?? 1;
      this.driver = new Driver(control, () => this.description?.inputs ?? [], lengthOf);
      this.driver.onError = (text) => this.say("warning", text);
      this.parametersPanel = new Parameters(control);
      this.editor = new Editor(control, stage, this.frames, {
        vehicles: this.vehicles, select: (label) => this.select(label), say: (level, text) => this.say(level, text),
        frameOf: (label) => this.markers.labels.get(label), world: () => this.world,
        described: () => this.describe(), save: (name, text) => download(name, new Blob([text], { type: "application/xml" })),
      });
      this.parametersPanel.onChange = (name, before, after) => this.editor?.parameterChanged(name, before, after);
    }
    this.build();
    stage.beforePicture = () => this.picture();
    stage.paintFlat = (context) => paint(context, stage, this.shapes, this.frames);
    stage.onClick = (event) => {
      const hit = stage.pick(event);
      const label = hit?.instance.label.split(" wheel ")[0] ?? "";
      if (this.vehicles.has(label)) this.select(label);
      this.editor?.pick(label);
    };
    stage.onGrab = (event) => this.editor?.grab(event) ?? false;
    stage.onDrag = (event) => this.editor?.drag(event);
    stage.onRelease = () => this.editor?.drop();
  }

  // -- what the source tells ------------------------------------------------------------------------------

  channels(channels: readonly Channel[]): void {
    this.bus.setChannels(channels);
    for (const channel of channels) this.takeAlways(channel);
    this.layers.refresh();
    this.refreshTree();
    if (channels.length > 0 && (this.source.tape !== undefined || this.description !== undefined)) void this.describe();
  }

  services(): void {
    void this.describe();
    this.run.setServices();
  }

  /** Takes what the scene needs, whichever layers are on. */
  private takeAlways({ topic, schemaName }: Channel): void {
    if (this.taken.has(topic)) return;
    const reader = new TransformReader();
    const takers: Record<string, Taker> = {
      [TRANSFORMS]: { bytes: (data) => {
        const before = this.frames.names.length;
        reader.read(data, this.frames);
        if (this.frames.names.length !== before) this.findVehicles();
        this.stage.touch();
      } },
      [MARKERS]: { message: (message) => this.setScene(message) },
      [GRID]: { message: (message) => { this.markers.setMap(topic, message); this.stage.touch(); } },
      [DIAGNOSTICS]: { message: (message, time) => this.diagnostics(message, time, topic) },
    };
    const taker = takers[schemaName];
    if (taker === undefined) return;
    this.bus.take(topic, taker);
    this.taken.add(topic);
  }

  private diagnostics(message: Message, time: number, topic: string): void {
    for (const status of message["status"] as { level: number; name: string; message: string }[]) {
      const where = topic.replace(/^\//, "");
      this.events.add(time, LEVELS[status.level] ?? "info", `${where}: ${status.name} ${status.message}`.trim());
    }
  }

  private setScene(message: Message): void {
    const before = [...this.markers.labels.keys()];
    this.markers.set(message);
    // frames of what has been removed stay known
    for (const label of before) {
      if (this.markers.labels.has(label)) continue;
      this.removed.add(label);
      this.vehicles.delete(label);
    }
    for (const label of this.markers.labels.keys()) this.removed.delete(label);
    // what has come or gone is described anew
    if (before.length > 0) void this.describe();
    this.stage.heldUntil = 0;
    this.frames.clear();
    this.findVehicles();
    if (this.world !== undefined) this.looks.apply(this.world);
    this.floatGrids();
    if (this.isNewWorld) this.frameAll();
    this.stage.touch();
  }

  private findVehicles(): void {
    const suffix = "/base_link";
    this.frames.names.forEach((name, number) => {
      const vehicle = name.slice(0, -suffix.length);
      if (name.endsWith(suffix) && !this.removed.has(vehicle)) this.vehicles.set(vehicle, number);
    });
    this.markers.attachWheels();
    if (!this.vehicles.has(this.selected)) {
      const [first] = this.vehicles.keys();
      if (first !== undefined) this.select(first);
    }
    this.refreshTree();
  }

  sample(channel: Channel, time: number, data: DataView): void {
    const start = performance.now();
    this.bus.sample(channel, time, data);
    this.stage.spent += performance.now() - start;
  }

  time(time: number): void {
    this.now = time;
    this.run.setTime(time);
  }

  rewound(): void {
    this.layers.forgetTrails();
    this.plots.rewind();
    if (this.source.tape !== undefined) return;
    this.vehicles.clear();
    this.driver?.forget();
    this.parametersPanel?.forget();
    this.editor?.forget();
    this.run.forget();
    if (this.keepsView) return;
    this.isNewWorld = true;
    this.world = undefined;
  }

  parameters(values: readonly Parameter[]): void {
    this.parametersPanel?.take(values);
    for (const { name, value } of values) {
      if (name === "simhost/paused") this.run.setPaused(value === true);
      if (name === "simhost/pace") this.run.setPace(Number(value));
      if (name === "simhost/drivers") this.driver?.setHolders(JSON.parse(String(value)) as Record<string, string>);
    }
  }

  status(level: Level, text: string): void {
    this.say(level, text);
  }

  state(state: State): void {
    const wasLost = this.link.name === "lost" || this.link.name === "ended";
    this.link = state;
    this.stateText.dataset["state"] = state.name;
    this.stateText.textContent = { connecting: "connecting", open: this.source.tape ? "recording" : "live", lost: "lost", ended: "ended" }[state.name];
    this.stateText.title = state.text;
    if (state.name === "open") {
      this.title.textContent = state.text;
      document.title = `${state.text} · simhost`;
      this.notice.hidden = true;
      if (wasLost) this.say("info", "connected again");
      if (this.stage.renderer === undefined) this.say("warning", "this browser has no WebGL 2; the world is shown from above");
    } else if (state.name !== "connecting" || this.bus.channels.length === 0 && !wasLost) {
      const isBad = state.name !== "connecting";
      this.notice.hidden = false;
      this.notice.classList.toggle("error", isBad);
      this.notice.textContent = state.text;
      const { again } = state;
      if (again !== undefined) this.notice.append(" ", button("Try again", "Open it again", again));
    }
    if (state.name !== "open") this.driver?.letGo();
  }

  // -- what people do ------------------------------------------------------------------------------------

  select(vehicle: string): void {
    this.selected = vehicle;
    this.vehicleChoice.value = vehicle;
    this.driver?.select(vehicle);
    this.parametersPanel?.select(vehicle);
    this.refreshTree();
    this.stage.touch();
  }

  setView(view: View): void {
    const { stage } = this;
    if (stage.renderer === undefined) return;
    const frame = this.vehicles.get(this.selected);
    if (frame !== undefined && view !== "orbit" && stage.view === "orbit" && view !== "top") {
      // near enough to see the vehicle
      stage.distance = Math.min(stage.distance, 9);
      stage.azimuth = 0;
      stage.elevation = 0.38;
    }
    // the same view again looks through the next camera
    if (view === "first" && stage.view === "first") this.cameraNumber += 1;
    stage.view = view;
    if (view === "top") stage.azimuth = -Math.PI / 2;
    for (const [one, control] of this.viewButtons) control.classList.toggle("on", one === view);
    stage.touch();
  }

  /** Shows the world around the vehicles, or everything. */
  frameAll(everything = false): void {
    this.frames.update();
    this.shapes.update(this.frames);
    // until it is known where the vehicles are, the next picture shows the world again
    const isComplete = [...this.vehicles.values()].every((frame) => this.frames.isPlaced(frame));
    this.isNewWorld = this.vehicles.size === 0 || ((this.shapes.count === 0 || !isComplete) && this.frameCount < 300);
    const gui = this.world?.gui;
    if (gui?.is_given === true) {
      this.stage.apply({
        orthographic: gui.ortho, distance: gui.cam_distance, azimuth: gui.cam_azimuth, elevation: gui.cam_elevation,
        target: gui.cam_point_to, fieldOfView: gui.fov, clip: [Math.max(gui.clip[0], 0.02), Math.min(gui.clip[1], 20_000)],
      });
      return;
    }
    const paths = (this.world?.paths ?? []).flatMap(({ points }) => points.map(([x, y]) => ({ x, y })));
    const places = [...[...this.vehicles.values()].map((frame) => this.frames.pose(frame)), ...paths];
    const reach = everything ? Infinity : places.length > 40 ? 5 : 30;
    const bounds = this.shapes.bounds(this.frames, places, reach);
    const [minX, minY, maxX, maxY] = everything ? this.markers.withMaps(bounds) : bounds;
    if (!Number.isFinite(minX)) return;
    if (this.stage.renderer !== undefined) [this.stage.azimuth, this.stage.elevation] = [-2.2, 0.75];
    this.stage.target.set((minX + maxX) / 2, (minY + maxY) / 2, 0);
    this.stage.distance = Math.min(Math.max(0.95 * Math.hypot(maxX - minX, maxY - minY) + 2, 6), 400);
    this.stage.touch();
  }

  /** Shows a message for the user. */
  say(level: Level, text: string): void {
    const repeats = this.events.add(this.now, level, text);
    // a moment in which the page reads too slowly is no reason for a notice
    if (level === "info" || (text.includes("too slowly") && !repeats)) return;
    this.notice.hidden = false;
    this.notice.classList.toggle("error", level === "error");
    this.notice.textContent = text;
    window.clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => { if (this.link.name === "open") this.notice.hidden = true; }, 6000);
  }
  private noticeTimer = 0;

  private async describe(): Promise<void> {
    try {
      const description = (await this.source.describe()) as Description | undefined;
      if (description === undefined || description.world === null) {
        if (this.source.tape !== undefined) this.say("warning", "the world of this recording is not known; its shapes are shown without meshes");
        if (description === undefined) return;
      }
      this.description = description;
      this.quantities?.forget();
      const { world } = description;
      if (world !== null) {
        const isFirst = this.world === undefined;
        this.world = world;
        this.sizes = new Map(world.vehicles.map((one) => [one.label, one.size ?? [1, 1, 1]]));
        this.parametersPanel?.describe(world.parameters);
        if (this.driver) this.driver.usesPad = world.has_gamepad ?? true;
        this.looks.apply(world);
        this.layers.setPaths(world.paths ?? []);
        this.floatGrids();
        if (isFirst) this.applySettings(world);
        if (isFirst && !world.gui.is_given && (world.paths ?? []).length > 0) this.frameAll();
      }
      const { selected } = this;
      if (selected !== "") this.driver?.select(selected);
      this.editor?.refresh();
      this.refreshTree();
    } catch (error) {
      this.say("warning", `the world is not described: ${String(error)}`);
    }
  }

  /** Obeys `<gui>`, `<lights>` and ground grids. */
  private applySettings(world: World): void {
    const { gui, lights } = world;
    if (lights.is_given) {
      this.stage.apply({
        shadows: lights.shadows, sunAzimuth: lights.azimuth, sunElevation: lights.elevation, sunColor: lights.color, ambient: lights.ambient,
      });
    }
    if (gui.is_given) {
      this.layers.forceScale = gui.force_scale;
      this.layers.set("forces", gui.show_forces);
      this.layers.set("scans", gui.show_sensor_points);
      this.layers.set("points", gui.show_sensor_points);
      this.layerBoxes.forEach((box, id) => { box.checked = this.layers.isOn(id); });
      this.frameAll();
      if (gui.follow_vehicle !== null) {
        this.select(gui.follow_vehicle);
        const { distance, azimuth, elevation } = this.stage;
        this.setView("follow");
        this.stage.apply({ distance, azimuth, elevation });
      }
    }
  }

  // -- pictures ------------------------------------------------------------------------------------------

  /** Lets ground grids that float follow a vehicle, or what the camera looks at, from line to line. */
  private floatGrids(isNew = true): void {
    if (isNew) this.stage.setGround(!this.markers.hasTerrain && (this.world?.ground_grids ?? []).length === 0);
    for (const [index, { interval, floating, focus }] of (this.world?.ground_grids ?? []).entries()) {
      if (!floating) continue;
      const label = `ground_grid/${index + 1}`;
      const frame = this.frames.number(label);
      if (isNew) for (const { instances } of this.shapes.all()) for (const one of instances) if (one.label === label) one.frame = frame;
      const vehicle = this.vehicles.get(focus ?? "");
      const centre = vehicle === undefined ? this.stage.target : this.frames.pose(vehicle);
      const [x, y] = [Math.round(centre.x / interval) * interval, Math.round(centre.y / interval) * interval];
      const [oldX, oldY] = this.frames.translation(frame);
      if (x !== oldX || y !== oldY) this.frames.set(frame, [x, y, 0, 0, 0, 0, 1]);
    }
  }

  private picture(): void {
    this.driver?.readPad();
    this.floatGrids(false);
    // before the poses are updated for this picture, which changes what has moved since the last update
    if (this.isNewWorld && this.vehicles.size > 0 && this.frameCount > 2) this.frameAll();
    this.frames.update();
    this.markers.showWalls(this.stage.view === "first");
    this.shapes.update(this.frames);
    this.markers.update();
    this.layers.update(this.vehicles);
    const frame = this.vehicles.get(this.selected);
    this.stage.followed = frame === undefined ? undefined : this.eyeOf(frame);
    this.stage.optical = this.stage.view === "first" ? this.opticalFrame() : undefined;
    if (this.layers.thinned > 0 && !this.hasToldThinned) {
      this.hasToldThinned = true;
      this.say("warning", `${this.layers.thinned} points of each cloud are left out, because there are too many`);
    }
    this.names.update(this.vehicles, this.selected, this.layers.isOn("names"), (name) => this.sizes.get(name)?.[2] ?? 0.8);
    this.plots.update(performance.now());
    this.frameCount += 1;
  }

  private hasToldThinned = false;
  /** Number of the camera of the vehicle through which the first-person view looks. */
  private cameraNumber = 0;

  /** Returns the optical frame of the camera of the vehicle through which the first-person view looks. */
  private opticalFrame(): Matrix4 | undefined {
    const images = this.bus.channels.filter(({ schemaName, topic }) => schemaName === IMAGE && topic.startsWith(`/${this.selected}/`));
    const cameras = images.map(({ topic }) => topic.slice(1).replace(/\/image$/, ""));
    const frame = this.frames.find(cameras[this.cameraNumber % Math.max(cameras.length, 1)] ?? "");
    return frame === undefined ? undefined : frameMatrix(this.frames, frame, new Matrix4());
  }

  /** Returns the pose that the camera follows: that of the vehicle, or a place above it to look from. */
  private eyeOf(frame: number): { x: number; y: number; z: number; yaw: number } {
    const pose = this.frames.pose(frame);
    if (this.stage.view !== "first") return pose;
    const height = this.sizes.get(this.selected)?.[2] ?? 0.8;
    return { ...pose, z: pose.z + Math.max(0.5, 0.9 * height) };
  }

  private refreshTree(): void {
    const names = [...this.vehicles.keys()];
    if (this.vehicleChoice.options.length !== names.length) {
      this.vehicleChoice.replaceChildren(...names.slice(0, 2000).map((name) => el("option", { value: name }, name)));
      this.vehicleChoice.value = this.selected;
    }
    this.tree.refresh(names, this.world, this.selected);
  }

  // -- elements ------------------------------------------------------------------------------------------

  private readonly layerBoxes = new Map<string, HTMLInputElement>();

  private build(): void {
    const views: [View, string, string][] = [
      ["orbit", "Orbit", "Turn around a point (o)"], ["follow", "Follow", "Stay behind the vehicle (f)"],
      ["top", "Top", "Look from above (t)"], ["first", "Inside", "Look from the vehicle; again: through its next camera (i)"],
    ];
    for (const [view, text, title] of views) this.viewButtons.set(view, button(text, title, () => this.setView(view)));
    this.viewButtons.get("orbit")?.classList.add("on");
    const ortho = button("Ortho", "Parallel projection", () => {
      this.stage.isOrthographic = !this.stage.isOrthographic;
      ortho.classList.toggle("on", this.stage.isOrthographic);
      this.stage.touch();
    }, "wide-only");
    const theme = button("◐", "Dark or light", () => this.setTheme(document.documentElement.dataset["theme"] !== "dark"));
    const toggle = (side: HTMLElement): void => { side.hidden = !side.hidden; };
    const head = el("header", { class: "bar" },
      button("☰", "Show or hide the tree", () => toggle(this.left)), this.title, this.stateText, el("span", { class: "gap" }),
      this.vehicleChoice, el("span", { class: "group wide-only" }, ...this.viewButtons.values()), ortho,
      button("⌂", "Show everything", () => { this.setView("orbit"); this.frameAll(true); }), theme,
      button("⚙", "Show or hide the controls", () => toggle(this.right)));
    const center = el("main", { class: "center" });
    center.append(this.stage.canvas, this.names.element, this.insets.element, this.notice);
    const wide = new Set(this.panels.map(([name]) => name));
    const left: Panel[] = [...this.panels, ["World", this.tree.element], ["Layers", this.layerPanel()]];
    this.left.append(tabs(left, (name) => this.left.classList.toggle("wide", wide.has(name))));
    const events: Panel = ["Events", this.events.element];
    const right: Panel[] = [];
    if (this.driver !== undefined) right.push(["Drive", this.driver.panel]);
    if (this.parametersPanel !== undefined) right.push(["Values", this.parametersPanel.element]);
    if (this.editor !== undefined) right.push(["Edit", this.editor.element]);
    right.push(events);
    this.right.append(tabs(right, (name) => this.editor?.setActive(name === "Edit")));
    if (window.innerWidth <= 760) this.left.hidden = this.right.hidden = true;
    document.body.append(el("div", { class: "app" }, head, this.left, center, this.right, this.plots.element, this.run.element));
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.setTheme(dark.matches);
    dark.addEventListener("change", () => this.setTheme(dark.matches));
    window.addEventListener("keydown", (event) => this.key(event));
  }

  private layerPanel(): HTMLElement {
    const rows = this.layers.all.map((layer) => {
      const box = el("input", { type: "checkbox", change: () => { this.layers.set(layer.id, box.checked); this.stage.touch(); } });
      box.checked = layer.isOn;
      this.layerBoxes.set(layer.id, box);
      return el("label", { class: "check", "data-layer": layer.id }, box, layer.title);
    });
    const colors = el("select", { change: () => { this.layers.pointColor = colors.value; } },
      ...["range", "height", "intensity", "ring", "class"].map((one) => el("option", { value: one }, one)));
    return el("div", { class: "panel-body" }, ...rows,
      el("div", { class: "row" }, el("span", { class: "label" }, "Colour of points"), colors),
      el("p", { class: "hint" }, "What is off is not sent by the server."));
  }

  setTheme(isDark: boolean): void {
    document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
    this.stage.setTheme(isDark);
    this.plots.restyle();
  }

  private key(event: KeyboardEvent): void {
    if (isTyping(event)) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.code === "KeyY" || (event.code === "KeyZ" && event.shiftKey)) this.editor?.redo();
      else if (event.code === "KeyZ") this.editor?.undo();
      return;
    }
    const views: Record<string, View> = { o: "orbit", f: "follow", t: "top", i: "first" };
    const view = views[event.key];
    if (view !== undefined) this.setView(view);
    if (event.key === "p") this.run.togglePause();
    if (event.key === ".") this.run.step();
    if (event.key === "l") this.run.log?.click();
    if (event.key === "Delete") this.editor?.removePicked();
    if (/^[1-9]$/.test(event.key)) {
      const name = [...this.vehicles.keys()][Number(event.key) - 1];
      if (name !== undefined) this.select(name);
    }
  }

  /** Numbers for tests and for whoever looks at the console. */
  get facts(): Record<string, unknown> {
    const { times } = this.stage;
    const sorted = [...times].sort((a, b) => a - b);
    return {
      state: this.link.name, time: this.now, vehicles: [...this.vehicles.keys()], selected: this.selected,
      isPaused: this.run.isPaused, shapes: this.shapes.count, subscribed: this.bus.takers.size, received: this.bus.received,
      scriptMs: sorted[Math.floor(sorted.length / 2)] ?? 0, pictures: this.frameCount,
    };
  }

  pose(name: string): { x: number; y: number; z: number; yaw: number } | undefined {
    const frame = this.vehicles.get(name) ?? this.frames.find(name);
    return frame === undefined ? undefined : this.frames.pose(frame);
  }
}

/** Creates tabs with their panels. */
function tabs(panels: readonly Panel[], onShow: (name: string) => void = () => {}): HTMLElement {
  const buttons = panels.map(([name], index) => el("button", { type: "button", role: "tab", click: () => show(index) }, name));
  const show = (index: number): void => {
    panels.forEach(([, panel], at) => { panel.hidden = at !== index; });
    buttons.forEach((one, at) => one.classList.toggle("on", at === index));
    onShow(panels[index]?.[0] ?? "");
  };
  const element = el("div", { class: "tabbed" }, el("div", { class: "tabs", role: "tablist" }, ...buttons), ...panels.map(([, panel]) => panel));
  show(0);
  return element;
}
