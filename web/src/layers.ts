// Layers: what is drawn beside bodies, each of which can be switched off.

import {
  ArrowHelper, BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Group, Line, LineBasicMaterial,
  LineSegments, Matrix4, Mesh, MeshBasicMaterial, type Object3D, Points, PointsMaterial, Vector3,
} from "three";
import type { Bus } from "./bus";
import type { Message } from "./cdr";
import type { Frames } from "./frames";
import { frameMatrix } from "./shapes";
import { ask, type Channel, type Control } from "./source";

/** A layer as the page lists it. */
export interface Layer {
  readonly id: string;
  readonly title: string;
  isOn: boolean;
}

/** Something that is drawn in a frame for a topic. */
interface Drawn { object: Object3D; end(): void; update?(): void }

const SCAN = "sensor_msgs/msg/LaserScan";
const CLOUD = "sensor_msgs/msg/PointCloud2";
const PATH = "nav_msgs/msg/Path";
const WHEELS = "simhost_msgs/msg/Wheels";
const NEARBY = ["sensor_msgs/msg/Range", "simhost_msgs/msg/Objects", "simhost_msgs/msg/Radar"];
/** Time between two readings of contacts, ms. */
const CONTACTS = 100;
/** Number of the type `float32` in a cloud. */
const FLOAT = 7;
/** Points of a path travelled at most, and the distance between them, m. */
const TRAIL = 3000;
const TRAIL_STEP = 0.08;

const PALETTE = [0x2f7ed8, 0xd9822b, 0x3a9b5c, 0xb0539c, 0x7d6bc4, 0x2a9d9a, 0xc44e52, 0x8c7a3f];

/** Returns the colour of the n-th thing of a kind. */
export function colorOf(number: number): Color {
  return new Color(PALETTE[number % PALETTE.length]);
}

/** Colours from low to high, of which each is brighter than the one before. */
const SCALE = [0x3b3f9c, 0x2a6fb5, 0x2196a6, 0x3fb07a, 0x9bbf3b, 0xe3b32c, 0xea7b2d, 0xd13c35].map((hex) => new Color(hex));

/** Returns a colour for a share from 0 (blue) to 1 (red). */
function heat(share: number, to: Color): Color {
  const t = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
  const low = Math.min(Math.floor(t), SCALE.length - 2);
  return to.copy(SCALE[low]!).lerp(SCALE[low + 1]!, t - low);
}

export class Layers {
  readonly all: Layer[] = [
    { id: "scans", title: "Laser scans", isOn: true },
    { id: "points", title: "Lidar points", isOn: true },
    { id: "trails", title: "Paths travelled", isOn: true },
    { id: "plans", title: "Paths planned", isOn: true },
    { id: "contacts", title: "Contacts", isOn: false },
    { id: "nearby", title: "Neighbours that sensors report", isOn: false },
    { id: "forces", title: "Wheel forces and use of friction", isOn: false },
    { id: "axes", title: "Frames", isOn: false },
    { id: "names", title: "Names", isOn: true },
  ];
  private readonly root = new Group();
  private readonly drawn = new Map<string, Drawn>();
  private readonly trails = new Map<number, { line: Line; count: number; last: Vector3 }>();
  private readonly trailGroup = new Group();
  private readonly axes = new LineSegments(
    new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }),
  );
  /** How points are coloured: by range or height, or a field such as `intensity`. */
  pointColor = "range";
  /** Length of a force, m/N; without it, the whole friction is 1.5 m long. */
  forceScale: number | undefined;
  private readonly paths = segments(0x3a9b5c);
  private readonly contacts = segments(0xe03131);
  private contactTimer: number | undefined;
  /** Called when something is drawn that no frame has moved. */
  onChange: () => void = () => {};
  /** Points that were left out because there were too many. */
  thinned = 0;

  constructor(scene: Object3D, private readonly bus: Bus, private readonly frames: Frames, private readonly control?: Control) {
    this.axes.frustumCulled = false;
    this.axes.renderOrder = 5;
    scene.add(this.root, this.trailGroup, this.axes, this.paths.object, this.contacts.object);
  }

  isOn(id: string): boolean {
    return this.all.find((layer) => layer.id === id)?.isOn ?? false;
  }

  set(id: string, isOn: boolean): void {
    const layer = this.all.find((one) => one.id === id);
    if (layer !== undefined) layer.isOn = isOn;
    this.refresh();
  }

  /** Subscribes to what the layers that are on show, and to nothing else. */
  refresh(): void {
    const wanted = new Map<string, Channel>();
    for (const channel of this.bus.channels) {
      const { schemaName: name, topic } = channel;
      const isWanted =
        (name === SCAN && this.isOn("scans")) || (name === CLOUD && this.isOn("points")) ||
        (name === PATH && this.isOn("plans")) || (NEARBY.includes(name) && this.isOn("nearby")) || (name === WHEELS && this.isOn("forces"));
      if (isWanted) wanted.set(topic, channel);
    }
    for (const [topic, drawn] of this.drawn) {
      if (wanted.has(topic)) continue;
      drawn.end();
      this.root.remove(drawn.object);
      this.drawn.delete(topic);
    }
    for (const [topic, channel] of wanted) {
      if (this.drawn.has(topic)) continue;
      const drawn = this.draw(channel);
      this.drawn.set(topic, drawn);
      this.root.add(drawn.object);
    }
    this.trailGroup.visible = this.isOn("trails");
    this.axes.visible = this.isOn("axes");
    this.paths.object.visible = this.isOn("plans");
    const hasContacts = this.isOn("contacts") && this.control?.offers("/simhost/read_contacts") === true;
    this.contacts.object.visible = hasContacts;
    if (hasContacts) this.contactTimer ??= window.setInterval(() => void this.readContacts(), CONTACTS);
    else if (this.contactTimer !== undefined) this.contactTimer = void window.clearInterval(this.contactTimer);
  }

  /** Shows the paths that vehicles and actors are to follow. */
  setPaths(paths: readonly { points: readonly [number, number][] }[]): void {
    this.paths.set(paths.flatMap(({ points }) => points.slice(1).flatMap((to, index) => [...points[index]!, 0.04, ...to, 0.04])));
  }

  /** Shows where bodies touch, with lines along the forces. */
  private async readContacts(): Promise<void> {
    if (this.control === undefined) return;
    const text = await ask(this.control, "/simhost/read_contacts", {}).catch(() => undefined);
    const { contacts } = JSON.parse(text ?? '{"contacts": []}') as { contacts: { entity: string; point: number[]; normal: number[]; force: number }[] };
    this.contacts.set(contacts.flatMap(({ entity, point: [x = 0, y = 0], normal: [nx = 0, ny = 0], force }) => {
      const frame = this.frames.find(`${entity}/base_link`) ?? this.frames.find(entity);
      const z = 0.3 + (frame === undefined ? 0 : this.frames.pose(frame).z);
      const length = this.forceScale === undefined ? 0.2 + 0.3 * Math.log10(1 + force) : force * this.forceScale;
      return [x, y, z, x + length * nx, y + length * ny, z, x - 0.15 * ny, y + 0.15 * nx, z, x + 0.15 * ny, y - 0.15 * nx, z];
    }));
    this.onChange();
  }

  private draw(channel: Channel): Drawn {
    switch (channel.schemaName) {
      case SCAN: return this.scan(channel);
      case CLOUD: return this.cloud(channel);
      case PATH: return this.plan(channel);
      case WHEELS: return this.forces(channel);
      default: return this.nearby(channel);
    }
  }

  /** Draws the messages of a topic with objects in their frame, or in another one. */
  private follow(channel: Channel, objects: Object3D[], draw: (message: Message) => void, frame?: string): Drawn {
    const object = new Group().add(...objects);
    object.matrixAutoUpdate = false;
    let number = frame === undefined ? -1 : this.frames.number(frame);
    const end = this.bus.take(channel.topic, { message: (message) => {
      if (frame === undefined) number = this.frames.number((message["header"] as { frame_id: string }).frame_id);
      draw(message);
    } });
    return { object, end, update: () => {
      if (number < 0) return;
      frameMatrix(this.frames, number, object.matrix);
      object.matrixWorldNeedsUpdate = true;
    } };
  }

  private scan(channel: Channel): Drawn {
    const hue = colorOf([...this.drawn.keys()].length);
    const fan = new Mesh(new BufferGeometry(), new MeshBasicMaterial({
      color: hue, transparent: true, opacity: 0.13, side: DoubleSide, depthWrite: false,
    }));
    const hits = new Points(new BufferGeometry(), new PointsMaterial({ color: hue, size: 4, sizeAttenuation: false }));
    [fan, hits].forEach((object) => { object.frustumCulled = false; });
    return this.follow(channel, [fan, hits], (message) => {
      const ranges = message["ranges"] as Float32Array;
      const [start, step] = [Number(message["angle_min"]), Number(message["angle_increment"])];
      const most = Number(message["range_max"]);
      const count = ranges.length;
      const rim = attribute(fan.geometry, "position", 3 * (count + 1));
      const dots = attribute(hits.geometry, "position", 3 * count);
      let shown = 0;
      for (let i = 0; i < count; i++) {
        const range = ranges[i]!;
        const isHit = Number.isFinite(range) && range < most;
        const [x, y] = [Math.cos(start + i * step), Math.sin(start + i * step)];
        const reach = isHit ? range : Number.isNaN(range) ? 0 : most;
        rim.setXYZ(i + 1, reach * x, reach * y, 0);
        if (isHit) dots.setXYZ(shown++, range * x, range * y, 0);
      }
      rim.setXYZ(0, 0, 0, 0);
      if (fan.geometry.index?.count !== 3 * (count - 1) && count > 1) {
        const index = new Uint32Array(3 * (count - 1));
        for (let i = 0; i < count - 1; i++) index.set([0, i + 1, i + 2], 3 * i);
        fan.geometry.setIndex(new BufferAttribute(index, 1));
      }
      hits.geometry.setDrawRange(0, shown);
    });
  }

  private cloud(channel: Channel): Drawn {
    const material = new PointsMaterial({ size: 2, sizeAttenuation: false, vertexColors: true });
    const points = new Points(new BufferGeometry(), material);
    points.frustumCulled = false;
    const color = new Color();
    const table = new Float32Array(3 * 256);
    // that of the last cloud, by which the colours of the next one are scaled
    let highest = 10;
    for (let i = 0; i < 256; i++) heat(i / 255, color).toArray(table, 3 * i);
    return this.follow(channel, [points], (message) => {
      const fields = message["fields"] as { name: string; offset: number; datatype: number }[];
      const data = message["data"] as Uint8Array;
      const step = Number(message["point_step"]);
      const total = Math.floor(data.byteLength / Math.max(step, 1));
      const MOST = 400_000;
      const stride = Math.max(1, Math.ceil(total / MOST));
      this.thinned = stride > 1 ? total - Math.floor(total / stride) : 0;
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      const offset = (name: string): number => fields.find((field) => field.name === name)?.offset ?? -1;
      const [ox, oy, oz] = [offset("x"), offset("y"), offset("z")];
      const field = fields.find((one) => one.name === this.pointColor);
      const position = attribute(points.geometry, "position", 3 * Math.ceil(total / stride));
      const colors = attribute(points.geometry, "color", 3 * Math.ceil(total / stride));
      const [to, tint] = [position.array as Float32Array, colors.array as Float32Array];
      const [kind, place, isHeight] = [field?.datatype ?? 0, field?.offset ?? 0, this.pointColor === "height"];
      const scale = 255 / highest;
      let [put, top] = [0, 1e-6];
      for (let i = 0, at = 0; i < total; i += stride, at += stride * step) {
        // no lists here: this runs for each point
        const x = view.getFloat32(at + ox, true), y = view.getFloat32(at + oy, true), z = view.getFloat32(at + oz, true);
        if (!(x - x === 0)) continue;
        let value: number;
        if (kind === FLOAT) value = view.getFloat32(at + place, true);
        else if (kind !== 0) value = valueOf(view, at + place, kind);
        else value = isHeight ? z + 2 : Math.sqrt(x * x + y * y + z * z);
        if (value > top && value < 1e9) top = value;
        const share = value * scale;
        const entry = 3 * (share <= 0 ? 0 : share >= 255 ? 255 : share | 0);
        to[put] = x;
        to[put + 1] = y;
        to[put + 2] = z;
        tint[put] = table[entry]!;
        tint[put + 1] = table[entry + 1]!;
        tint[put + 2] = table[entry + 2]!;
        put += 3;
      }
      highest = top;
      points.geometry.setDrawRange(0, put / 3);
    });
  }

  private plan(channel: Channel): Drawn {
    const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: 0x3a9b5c }));
    line.frustumCulled = false;
    return this.follow(channel, [line], (message) => {
      const poses = message["poses"] as { pose: { position: { x: number; y: number; z: number } } }[];
      const position = attribute(line.geometry, "position", 3 * poses.length);
      poses.forEach(({ pose: { position: p } }, index) => position.setXYZ(index, p.x, p.y, p.z + 0.03));
      line.geometry.setDrawRange(0, poses.length);
    });
  }

  /** Draws what sensors of nearby objects report: a line to each, and the outline of its box. */
  private nearby(channel: Channel): Drawn {
    const lines = segments(0xb0539c);
    return this.follow(channel, [lines.object], (message) => {
      const get = (name: string, i: number): number => Number((message[name] as ArrayLike<number> | undefined)?.[i] ?? 0);
      const points: number[] = [];
      const range = Number(message["range"]);
      if (range < Number(message["max_range"])) points.push(0, 0, 0, range, 0, 0);
      for (let i = 0; i < Number(message["count"] ?? 0); i++) {
        if (channel.schemaName === NEARBY[2]) {
          const [r, angle] = [get("range", i), get("azimuth", i)];
          if (get("valid", i) > 0) points.push(0, 0, 0, r * Math.cos(angle), r * Math.sin(angle), 0);
          continue;
        }
        const [x, y, z, turn] = [get("position_x", i), get("position_y", i), get("position_z", i), get("heading", i)];
        const [c, s, l, w] = [Math.cos(turn), Math.sin(turn), get("length", i) / 2, get("width", i) / 2];
        const corners = [[l, w], [-l, w], [-l, -w], [l, -w]].map(([a = 0, b = 0]) => [x + c * a - s * b, y + s * a + c * b, z]);
        points.push(0, 0, 0, x, y, z, ...corners.flatMap((corner, at) => [...corner, ...corners[(at + 1) % 4]!]));
      }
      lines.set(points);
    });
  }

  /** Draws the forces of the ground on wheels; their colours say how much of the friction is used. */
  private forces(channel: Channel): Drawn {
    const arrows: ArrowHelper[] = [];
    const vehicle = channel.topic.replace(/^\//, "").replace(/\/wheels$/, "");
    const color = new Color();
    const group = new Group();
    return this.follow(channel, [group], (message) => {
      const get = (name: string): ArrayLike<number> => (message[name] as ArrayLike<number> | undefined) ?? [];
      const [x, y, fx, fy, load] = [get("x"), get("y"), get("fx"), get("fy"), get("normal_force")];
      for (let i = 0; i < x.length; i++) {
        let arrow = arrows[i];
        if (arrow === undefined) {
          arrow = new ArrowHelper(new Vector3(1, 0, 0), new Vector3(), 1, 0xffffff, 0.2, 0.12);
          for (const part of [arrow.line, arrow.cone]) {
            (part.material as LineBasicMaterial).depthTest = false;
            part.renderOrder = 6;
          }
          arrows.push(arrow);
          group.add(arrow);
        }
        const force = Math.hypot(fx[i] ?? 0, fy[i] ?? 0);
        const use = force / Math.max(load[i] ?? 1, 1e-6);
        const length = Math.max(this.forceScale === undefined ? 1.5 * use : force * this.forceScale, 1e-3);
        arrow.position.set(x[i] ?? 0, y[i] ?? 0, 0.04);
        if (force > 0) arrow.setDirection(new Vector3((fx[i] ?? 0) / force, (fy[i] ?? 0) / force, 0));
        arrow.setLength(length, Math.min(0.3 * length, 0.35), Math.min(0.18 * length, 0.2));
        arrow.setColor(heat(use, color));
        arrow.visible = length > 0.01;
      }
    }, `${vehicle}/base_link`);
  }

  /** Moves everything to the present poses. */
  update(vehicles: ReadonlyMap<string, number>): void {
    for (const { update } of this.drawn.values()) update?.();
    if (this.isOn("trails")) this.extendTrails(vehicles);
    if (this.isOn("axes")) this.placeAxes();
  }

  private extendTrails(vehicles: ReadonlyMap<string, number>): void {
    let number = 0;
    if (this.trails.size > vehicles.size) this.forgetTrails();
    for (const frame of vehicles.values()) {
      const hue = number++;
      // many paths hide the scene
      if (hue >= 200) break;
      if (!this.frames.hasMoved[frame] && this.trails.has(frame)) continue;
      const { x, y, z } = this.frames.pose(frame);
      let trail = this.trails.get(frame);
      if (trail === undefined) {
        const geometry = new BufferGeometry();
        const material = new LineBasicMaterial({ color: colorOf(hue), transparent: true, opacity: 0.85 });
        const line = new Line(geometry, material);
        line.frustumCulled = false;
        attribute(geometry, "position", 3 * TRAIL);
        this.trailGroup.add(line);
        trail = { line, count: 0, last: new Vector3(Infinity, 0, 0) };
        this.trails.set(frame, trail);
      }
      const step = trail.last.distanceTo(scratch.set(x, y, z));
      if (step < TRAIL_STEP) continue;
      const position = trail.line.geometry.getAttribute("position") as BufferAttribute;
      // a jump is not a path
      if (step > 5 && trail.count > 0) trail.count = 0;
      if (trail.count === TRAIL) {
        (position.array as Float32Array).copyWithin(0, 3 * (TRAIL / 2));
        trail.count = TRAIL / 2;
      }
      position.setXYZ(trail.count++, x, y, z + 0.02);
      position.needsUpdate = true;
      trail.last.set(x, y, z);
      trail.line.geometry.setDrawRange(0, trail.count);
    }
  }

  forgetTrails(): void {
    this.trailGroup.clear();
    this.trails.clear();
  }

  private placeAxes(): void {
    const count = Math.min(this.frames.names.length, 2000);
    const position = attribute(this.axes.geometry, "position", 18 * count);
    const colors = attribute(this.axes.geometry, "color", 18 * count);
    const matrix = new Matrix4();
    const point = new Vector3();
    for (let frame = 0; frame < count; frame++) {
      frameMatrix(this.frames, frame, matrix);
      const length = this.frames.names[frame]?.includes("/wheel/") ? 0.15 : 0.4;
      for (let axis = 0; axis < 3; axis++) {
        const at = 6 * frame + 2 * axis;
        point.setFromMatrixPosition(matrix);
        position.setXYZ(at, point.x, point.y, point.z);
        point.set(0, 0, 0).setComponent(axis, length).applyMatrix4(matrix);
        position.setXYZ(at + 1, point.x, point.y, point.z);
        const color = [[0.85, 0.2, 0.2], [0.25, 0.65, 0.25], [0.25, 0.4, 0.9]][axis] as [number, number, number];
        colors.setXYZ(at, ...color);
        colors.setXYZ(at + 1, ...color);
      }
    }
    this.axes.geometry.setDrawRange(0, 6 * count);
  }
}

const scratch = new Vector3();

/** Creates lines between pairs of points, which nothing hides. */
function segments(color: number): { object: LineSegments; set(points: readonly number[]): void } {
  const object = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color, depthTest: false, transparent: true }));
  object.frustumCulled = false;
  object.renderOrder = 6;
  return { object, set: (points) => {
    (attribute(object.geometry, "position", points.length).array as Float32Array).set(points);
    object.geometry.setDrawRange(0, points.length / 3);
  } };
}

/** Returns an attribute with room for a number of values, which will be sent to the GPU. */
function attribute(geometry: BufferGeometry, name: string, length: number): BufferAttribute {
  let known = geometry.getAttribute(name) as BufferAttribute | undefined;
  if (known === undefined || known.array.length < length) {
    known = new BufferAttribute(new Float32Array(length), 3);
    known.setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, known);
  }
  known.needsUpdate = true;
  return known;
}

/** Returns a field of a point as a share from 0 to 1: intensities up to 1, rings and classes up to 64. */
function valueOf(view: DataView, at: number, type: number): number {
  switch (type) {
    case 2: return view.getUint8(at) / 255;
    case 4: return (view.getUint16(at, true) % 64) / 63;
    case 7: return view.getFloat32(at, true);
    default: return 0;
  }
}
