// The stream of the scene: markers and maps.

import {
  Box3, BoxGeometry, BufferGeometry, Color, DataTexture, Float32BufferAttribute, Group, InstancedMesh, LineBasicMaterial,
  LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, NearestFilter, type Object3D, PlaneGeometry,
  Quaternion, SRGBColorSpace, Vector3,
} from "three";
import type { Message } from "./cdr";
import type { Frames } from "./frames";
import { frameMatrix, keyOf, type Instance, type Shapes, triangles } from "./shapes";

interface Point { x: number; y: number; z: number }
interface Marker {
  header: { frame_id: string };
  ns: string;
  type: number;
  action: number;
  pose: { position: Point; orientation: Point & { w: number } };
  scale: Point;
  color: { r: number; g: number; b: number; a: number };
  points: Point[];
}

const LINE_STRIP = 4;
const LINE_LIST = 5;
/** Height of the walls of maps, m, which the messages do not have. */
const WALL_HEIGHT = 1.5;
/** Occupancy from which a cell is a wall, percent. */
const WALL_FROM = 65;
/** Most walls of a map that are drawn as bodies. */
const MOST_WALLS = 100_000;

interface Wheel { instance: Instance; place: Vector3; vehicle: string }

/** What a world looks like according to its markers. */
export class MarkerScene {
  /** Lines, in groups that move with their frames. */
  private readonly lines = new Group();
  private readonly maps = new Map<string, Object3D>();
  /** Walls of maps, which are seen from inside of a vehicle. */
  private readonly walls = new Map<string, Object3D>();
  private readonly moving: { object: Object3D; frame: number }[] = [];
  /** Cylinders of vehicles that may belong to wheels. */
  private wheels: Wheel[] = [];
  /** Names of everything that has shapes. */
  readonly labels = new Map<string, number>();
  /** Whether there is terrain, in which case lines on a flat ground confuse. */
  hasTerrain = false;

  constructor(private readonly parent: Object3D, private readonly shapes: Shapes, private readonly frames: Frames) {
    parent.add(this.lines);
  }

  /** Replaces the scene with that of a message. */
  set(message: Message): void {
    this.clear();
    for (const marker of (message["markers"] as Marker[] | undefined) ?? []) this.add(marker);
    this.attachWheels();
  }

  clear(): void {
    this.shapes.clear();
    this.lines.clear();
    this.moving.length = 0;
    this.wheels = [];
    this.labels.clear();
    this.hasTerrain = false;
  }

  private add(marker: Marker): void {
    const frame = this.frames.number(marker.header.frame_id);
    this.labels.set(marker.ns, frame);
    if (marker.ns === "terrain") this.hasTerrain = true;
    const { position: p, orientation: q } = marker.pose;
    const place = new Vector3(p.x, p.y, p.z);
    const turn = new Quaternion(q.x, q.y, q.z, q.w);
    const { r, g, b, a } = marker.color;
    const color = new Color().setRGB(r, g, b, SRGBColorSpace);
    const isLine = marker.type === LINE_STRIP || marker.type === LINE_LIST;
    if (isLine) {
      this.addLines(marker, frame, color, a);
      return;
    }
    const isTriangles = marker.type === 11;
    const scale = new Vector3(marker.scale.x || 1, marker.scale.y || 1, marker.scale.z || 1);
    const instance: Instance = { label: marker.ns, frame, local: new Matrix4().compose(place, turn, scale), color };
    if (isTriangles) {
      const points = Float32Array.from(marker.points.flatMap(({ x, y, z }) => [x, y, z]));
      this.shapes.add({ key: keyOf(points), make: () => triangles(points) }, instance, a);
    } else {
      this.shapes.add(marker.type === 2 ? "sphere" : marker.type === 3 ? "cylinder" : "box", instance, a);
    }
    if (marker.type === 3 && marker.header.frame_id.endsWith("/base_link")) {
      this.wheels.push({ instance, place, vehicle: marker.header.frame_id.slice(0, -"base_link".length) });
    }
  }

  private addLines(marker: Marker, frame: number, color: Color, opacity: number): void {
    const points: number[] = [];
    marker.points.forEach((point, index) => {
      const previous = marker.points[index - 1];
      if (marker.type === LINE_LIST) points.push(point.x, point.y, point.z);
      else if (previous !== undefined) points.push(previous.x, previous.y, previous.z, point.x, point.y, point.z);
    });
    const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
    const lines = new LineSegments(geometry, new LineBasicMaterial({ color, transparent: opacity < 1, opacity }));
    const group = new Group();
    group.matrixAutoUpdate = false;
    const { position: p, orientation: q } = marker.pose;
    lines.position.set(p.x, p.y, p.z);
    lines.quaternion.set(q.x, q.y, q.z, q.w);
    group.add(lines);
    this.lines.add(group);
    this.moving.push({ object: group, frame });
  }

  /**
   * Moves the cylinders of vehicles into the frames of the wheels that stand in their places, so that they turn
   * and steer. Called again until the frames are known.
   */
  attachWheels(): void {
    if (this.wheels.length === 0) return;
    const frames = new Map<string, number[]>();
    this.frames.names.forEach((name, number) => {
      const at = name.indexOf("/wheel/");
      if (at < 0) return;
      const vehicle = name.slice(0, at + 1);
      const known = frames.get(vehicle);
      if (known === undefined) frames.set(vehicle, [number]);
      else known.push(number);
    });
    if (frames.size === 0) return;
    this.wheels = this.wheels.filter(({ instance, place, vehicle }) => {
      const near = frames.get(vehicle)?.find((number) => {
        const [x, y] = this.frames.translation(number);
        return Math.hypot(x - place.x, y - place.y) < 0.02;
      });
      if (near === undefined) return true;
      const [, , z] = this.frames.translation(near);
      // the axle is the y axis of the frame of a wheel
      const size = new Vector3().setFromMatrixScale(instance.local);
      const turn = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), Math.PI / 2);
      instance.local.compose(new Vector3(0, 0, place.z - z), turn, size);
      instance.frame = near;
      instance.isWheel = true;
      this.addHub(instance, near, size);
      return false;
    });
  }

  /** Adds what shows that a wheel turns: a bar across its rim. */
  private addHub({ label, color }: Instance, frame: number, size: Vector3): void {
    const light = color.getHSL({ h: 0, s: 0, l: 0 }).l;
    const shade = color.clone().lerp(new Color(light > 0.4 ? 0x000000 : 0xffffff), 0.45);
    const bar = new Matrix4().compose(
      new Vector3(), new Quaternion(), new Vector3(0.72 * size.x, 1.04 * size.z, 0.16 * size.x),
    );
    this.shapes.add("box", { label, frame, local: bar, color: shade, isWheel: true }, 1);
  }

  /** Shows an occupancy grid. */
  setMap(topic: string, message: Message): void {
    const old = this.maps.get(topic);
    if (old !== undefined) this.parent.remove(old);
    const info = message["info"] as { width: number; height: number; resolution: number; origin: Marker["pose"] };
    const data = message["data"] as ArrayLike<number>;
    const pixels = new Uint8Array(4 * info.width * info.height);
    for (let i = 0; i < data.length; i++) {
      const occupied = data[i] ?? -1;
      const isKnown = occupied >= 0 && occupied <= 100;
      const level = isKnown ? 244 - Math.round(1.9 * occupied) : 205;
      pixels.set([level, level, level, isKnown ? 255 : 150], 4 * i);
    }
    const texture = new DataTexture(pixels, info.width, info.height);
    texture.colorSpace = SRGBColorSpace;
    texture.magFilter = NearestFilter;
    texture.generateMipmaps = true;
    texture.needsUpdate = true;
    const size = [info.width * info.resolution, info.height * info.resolution] as const;
    const plane = new PlaneGeometry(size[0], size[1]).translate(size[0] / 2, size[1] / 2, 0);
    const mesh = new Mesh(plane, new MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false }));
    const { position: p, orientation: q } = info.origin;
    mesh.position.set(p.x, p.y, p.z + 0.004);
    mesh.quaternion.set(q.x, q.y, q.z, q.w);
    mesh.renderOrder = -1;
    this.maps.set(topic, mesh);
    this.parent.add(mesh);
    const walls = wallsOf(data, info);
    walls.position.copy(mesh.position);
    walls.quaternion.copy(mesh.quaternion);
    walls.visible = false;
    const oldWalls = this.walls.get(topic);
    if (oldWalls !== undefined) this.parent.remove(oldWalls);
    this.walls.set(topic, walls);
    this.parent.add(walls);
  }

  /** Shows or hides the walls of maps. */
  showWalls(isShown: boolean): void {
    for (const walls of this.walls.values()) walls.visible = isShown;
  }

  /** Returns bounds, the smallest and largest x and y, with all maps. */
  withMaps([minX, minY, maxX, maxY]: [number, number, number, number]): [number, number, number, number] {
    const box = new Box3();
    for (const map of this.maps.values()) box.expandByObject(map);
    if (box.isEmpty()) return [minX, minY, maxX, maxY];
    return [Math.min(minX, box.min.x), Math.min(minY, box.min.y), Math.max(maxX, box.max.x), Math.max(maxY, box.max.y)];
  }

  update(): void {
    for (const { object, frame } of this.moving) {
      if (this.frames.hasMoved[frame]) {
        frameMatrix(this.frames, frame, object.matrix);
        object.matrixWorldNeedsUpdate = true;
      }
    }
  }
}

/** Returns a box for each run of occupied cells of a row. */
function wallsOf(data: ArrayLike<number>, { width, height, resolution }: { width: number; height: number; resolution: number }): InstancedMesh {
  const runs: [number, number, number][] = [];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width && runs.length < MOST_WALLS; column++) {
      const first = column;
      while (column < width && (data[row * width + column] ?? -1) >= WALL_FROM) column++;
      if (column > first) runs.push([row, first, column]);
    }
  }
  const walls = new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial({ color: 0x8a9099, roughness: 1 }), runs.length);
  const matrix = new Matrix4();
  runs.forEach(([row, first, end], index) => {
    matrix.makeScale((end - first) * resolution, resolution, WALL_HEIGHT);
    matrix.setPosition(0.5 * (first + end) * resolution, (row + 0.5) * resolution, 0.5 * WALL_HEIGHT);
    walls.setMatrixAt(index, matrix);
  });
  walls.frustumCulled = false;
  return walls;
}
