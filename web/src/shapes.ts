// Shapes in frames that move: equal shapes are drawn together, however many there are.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, CylinderGeometry, DynamicDrawUsage, InstancedMesh, Matrix4,
  type Material, MeshStandardMaterial, type Object3D, Quaternion, SphereGeometry, Vector3,
} from "three";
import type { Frames } from "./frames";

/** A shape in a frame. */
export interface Instance {
  /** What it belongs to, such as the name of a vehicle. */
  readonly label: string;
  /** Number of its frame. */
  frame: number;
  /** Its pose and scale in the frame. */
  readonly local: Matrix4;
  readonly color: Color;
  /** Whether it is a part of a mesh. */
  readonly isMesh?: boolean;
  /** Whether it turns with a wheel. */
  isWheel?: boolean;
}

const scratch = { world: new Matrix4(), position: new Vector3(), turn: new Quaternion(), one: new Vector3(1, 1, 1) };

/** Instances of one geometry with one material. */
export class Batch {
  readonly instances: Instance[] = [];
  mesh: InstancedMesh | undefined;
  private isStale = true;

  constructor(
    readonly geometry: BufferGeometry,
    readonly material: Material,
    private readonly parent: Object3D,
    private readonly castsShadows: boolean,
    readonly key: string,
  ) {}

  add(instance: Instance): void {
    this.instances.push(instance);
    this.isStale = true;
  }

  /** Removes the instances for which the function returns `true`. */
  remove(isGone: (instance: Instance) => boolean): void {
    const kept = this.instances.filter((instance) => !isGone(instance));
    if (kept.length === this.instances.length) return;
    this.instances.splice(0, this.instances.length, ...kept);
    this.isStale = true;
  }

  private rebuild(): void {
    const count = this.instances.length;
    if (this.mesh === undefined || this.mesh.instanceMatrix.count < count) {
      if (this.mesh !== undefined) {
        this.parent.remove(this.mesh);
        this.mesh.dispose();
      }
      this.mesh = new InstancedMesh(this.geometry, this.material, Math.max(1, Math.ceil(count * 1.25)));
      this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      this.mesh.frustumCulled = false;
      this.mesh.castShadow = this.castsShadows;
      this.mesh.receiveShadow = true;
      this.mesh.userData["batch"] = this;
      this.parent.add(this.mesh);
    }
    this.mesh.count = count;
    this.instances.forEach(({ color }, index) => this.mesh?.setColorAt(index, color));
    if (this.mesh.instanceColor !== null) this.mesh.instanceColor.needsUpdate = true;
  }

  /** Moves the instances whose frames have moved. */
  update(frames: Frames): void {
    const isNew = this.isStale;
    if (isNew) this.rebuild();
    this.isStale = false;
    const mesh = this.mesh;
    if (mesh === undefined) return;
    let hasChanged = isNew;
    const array = mesh.instanceMatrix.array;
    for (let index = 0; index < this.instances.length; index++) {
      const { frame, local } = this.instances[index]!;
      if (!isNew && !frames.hasMoved[frame]) continue;
      frameMatrix(frames, frame, scratch.world).multiply(local).toArray(array, 16 * index);
      hasChanged = true;
    }
    if (hasChanged) {
      mesh.instanceMatrix.needsUpdate = true;
      // picking computes it anew
      mesh.boundingSphere = null;
    }
  }

  dispose(): void {
    if (this.mesh === undefined) return;
    this.parent.remove(this.mesh);
    this.mesh.dispose();
  }
}

/** Returns the matrix of the pose of a frame in the world. */
export function frameMatrix(frames: Frames, frame: number, to: Matrix4): Matrix4 {
  const { world } = frames;
  const at = 7 * frame;
  scratch.position.set(world[at]!, world[at + 1]!, world[at + 2]!);
  scratch.turn.set(world[at + 3]!, world[at + 4]!, world[at + 5]!, world[at + 6]!);
  return to.compose(scratch.position, scratch.turn, scratch.one);
}

/** All batches of a scene. */
export class Shapes {
  private readonly batches = new Map<string, Batch>();
  private readonly box = new BoxGeometry(1, 1, 1);
  private readonly sphere = new SphereGeometry(0.5, 20, 14);
  private readonly cylinder = new CylinderGeometry(0.5, 0.5, 1, 28).rotateX(Math.PI / 2);

  constructor(private readonly parent: Object3D) {}

  get count(): number {
    let count = 0;
    for (const batch of this.batches.values()) count += batch.instances.length;
    return count;
  }

  /** Adds a shape; geometries with the same key are drawn together. */
  add(shape: "box" | "sphere" | "cylinder" | { key: string; make: () => BufferGeometry }, instance: Instance, opacity: number): void {
    const kind = typeof shape === "string" ? shape : shape.key;
    const key = `${kind} ${opacity.toFixed(2)}`;
    let batch = this.batches.get(key);
    if (batch === undefined) {
      const geometry = typeof shape === "string" ? this[shape] : shape.make();
      const isOpaque = opacity > 0.99;
      const material = new MeshStandardMaterial({
        roughness: 0.72, metalness: 0.02, transparent: !isOpaque, opacity, depthWrite: isOpaque,
        flatShading: typeof shape !== "string",
      });
      batch = new Batch(geometry, material, this.parent, isOpaque, key);
      this.batches.set(key, batch);
    }
    batch.add(instance);
  }

  /** Adds a shape with a material of its own, such as a part of a mesh. */
  addWith(key: string, geometry: () => BufferGeometry, material: () => Material, instance: Instance): void {
    let batch = this.batches.get(key);
    if (batch === undefined) {
      batch = new Batch(geometry(), material(), this.parent, true, key);
      this.batches.set(key, batch);
    }
    batch.add(instance);
  }

  /** Returns the bounds of what is near some points: smallest and largest x and y. */
  bounds(frames: Frames, near: readonly { x: number; y: number }[], reach: number): [number, number, number, number] {
    const all: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    const add = (x: number, y: number): void => {
      all[0] = Math.min(all[0], x);
      all[1] = Math.min(all[1], y);
      all[2] = Math.max(all[2], x);
      all[3] = Math.max(all[3], y);
    };
    near.forEach(({ x, y }) => add(x, y));
    const corner = new Vector3();
    for (const batch of this.batches.values()) {
      // bodies of many parts are framed by where their vehicles are
      if (batch.instances.length > 500 && Number.isFinite(reach)) continue;
      batch.geometry.computeBoundingBox();
      const box = batch.geometry.boundingBox;
      if (box === null) continue;
      for (const { frame, local } of batch.instances) {
        const matrix = frameMatrix(frames, frame, scratch.world).multiply(local);
        for (const point of [box.min, box.max]) {
          corner.copy(point).applyMatrix4(matrix);
          if (near.some(({ x, y }) => Math.hypot(corner.x - x, corner.y - y) < reach)) add(corner.x, corner.y);
        }
      }
    }
    return all;
  }

  remove(isGone: (instance: Instance) => boolean): void {
    for (const batch of this.batches.values()) batch.remove(isGone);
  }

  update(frames: Frames): void {
    for (const batch of this.batches.values()) batch.update(frames);
  }

  all(): Iterable<Batch> {
    return this.batches.values();
  }

  clear(): void {
    for (const batch of this.batches.values()) batch.dispose();
    this.batches.clear();
  }
}

/** Returns a geometry of triangles from a list of points. */
export function triangles(points: Float32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Returns a key that is the same for the same numbers. */
export function keyOf(points: Float32Array): string {
  const words = new Uint32Array(points.buffer, points.byteOffset, points.length);
  let [a, b] = [0x811c9dc5, 0x1234567];
  for (const word of words) {
    a = Math.imul(a ^ word, 0x01000193);
    b = Math.imul(b ^ (word >>> 7) ^ a, 0x85ebca6b);
  }
  return `${points.length}:${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}
