// Meshes, sky and lines from the description of a world.

import {
  BufferAttribute, BufferGeometry, Color, CubeTexture, DataTexture, Euler, FrontSide, DoubleSide, Line, LineBasicMaterial, Matrix4,
  MeshStandardMaterial, Quaternion, RepeatWrapping, type Scene, SRGBColorSpace, Vector3,
} from "three";
import type { Frames } from "./frames";
import type { MarkerScene } from "./markers";
import type { Shapes } from "./shapes";
import type { Source } from "./source";
import type { Body, Visual, World } from "./world";

interface Part { position: number; corners: number; color: number[] | null; place?: number; image?: number }
interface Picture { pixels: number; width: number; height: number }
interface Asset { parts: Part[]; images: Picture[]; body: ArrayBuffer }

/** Reads an asset: a header in JSON and numbers. */
export function readAsset(bytes: ArrayBuffer): Asset {
  const view = new DataView(bytes);
  if (bytes.byteLength < 8 || view.getUint32(0, false) !== 0x53484131) throw new Error("not an asset of simhost");
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length))) as Omit<Asset, "body">;
  return { ...header, body: bytes.slice(8 + length) };
}

function textureOf({ pixels, width, height }: Picture, body: ArrayBuffer): DataTexture {
  const texture = new DataTexture(new Uint8Array(body, pixels, 4 * width * height), width, height);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

export class Looks {
  private readonly assets = new Map<string, Promise<Asset>>();
  private lines: Line[] = [];
  onFailure: (text: string) => void = () => {};
  onLoaded: () => void = () => {};

  constructor(
    private readonly source: Source, private readonly scene: Scene, private readonly shapes: Shapes,
    private readonly frames: Frames, private readonly markers: MarkerScene,
  ) {}

  private asset(name: string): Promise<Asset> {
    let known = this.assets.get(name);
    if (known === undefined) {
      known = this.source.asset(name).then(readAsset);
      this.assets.set(name, known);
    }
    return known;
  }

  /** Shows the meshes of a world in the places of their shapes. */
  apply(world: World): void {
    for (const body of [...world.vehicles, ...world.bodies]) {
      const frame = this.markers.labels.get(body.label);
      if (frame !== undefined) this.body(body, frame);
    }
    for (const vehicle of world.vehicles) {
      for (const wheel of vehicle.wheels) {
        const frame = this.frames.find(`${vehicle.label}/wheel/${wheel.name}`);
        if (frame !== undefined && wheel.visuals.length > 0) {
          this.body({ label: `${vehicle.label} wheel ${wheel.name}`, visuals: wheel.visuals }, frame, true);
        }
      }
    }
    this.lines.forEach((line) => this.scene.remove(line));
    this.lines = world.lines.map(({ points, color }) => {
      const [r = 0, g = 0, b = 0] = color;
      const geometry = new BufferGeometry().setFromPoints(points.map((point) => new Vector3(...point)));
      return new Line(geometry, new LineBasicMaterial({ color: new Color().setRGB(r / 255, g / 255, b / 255, SRGBColorSpace) }));
    });
    this.lines.forEach((line) => this.scene.add(line));
    if (world.sky !== null) this.sky(world.sky).catch((error: unknown) => this.onFailure(`the sky cannot be shown: ${String(error)}`));
  }

  private body(body: Body, frame: number, isWheel = false): void {
    for (const visual of body.visuals) {
      this.asset(visual.asset)
        .then((asset) => {
          this.add(visual, asset, body.label, frame);
          // the mesh stands for the shapes of the body
          this.shapes.remove((one) => one.label === body.label && one.frame === frame && !one.isMesh && (isWheel || !one.isWheel));
          if (isWheel) this.shapes.remove((one) => one.frame === frame && !one.isMesh);
          this.onLoaded();
        })
        .catch((error: unknown) => this.onFailure(`${body.label}: ${visual.file} cannot be shown: ${String(error)}`));
    }
  }

  private add(visual: Visual, asset: Asset, label: string, frame: number): void {
    const [x, y, z, yaw, pitch, roll] = visual.pose;
    const turn = new Quaternion().setFromEuler(new Euler(roll, pitch, yaw, "ZYX"));
    const size = new Vector3(visual.scale, visual.scale, visual.scale);
    asset.parts.forEach((part, index) => {
      const local = new Matrix4().compose(new Vector3(x, y, z), turn, size);
      const [r = 190, g = 190, b = 190, a = 255] = visual.color ?? part.color ?? [];
      const color = new Color().setRGB(r / 255, g / 255, b / 255, SRGBColorSpace);
      const key = `${visual.asset} ${index} ${part.image === undefined ? "" : color.getHexString()} ${a}`;
      this.shapes.addWith(key, () => this.geometry(part, asset.body), () => new MeshStandardMaterial({
        roughness: 0.7, metalness: 0.05, side: a < 255 ? FrontSide : DoubleSide, transparent: a < 255, opacity: a / 255,
        map: part.image === undefined || visual.color !== null ? null : textureOf(asset.images[part.image]!, asset.body),
      }), { label, frame, local, color, isMesh: true });
    });
  }

  private geometry(part: Part, body: ArrayBuffer): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(body, part.position, 3 * part.corners), 3));
    if (part.place !== undefined) {
      geometry.setAttribute("uv", new BufferAttribute(new Float32Array(body, part.place, 2 * part.corners), 2));
    }
    geometry.computeVertexNormals();
    return geometry;
  }

  /** Shows the images of the surroundings: front (+x), back, down, up, left (+y), right. */
  private async sky(names: readonly (string | null)[]): Promise<void> {
    const sides = await Promise.all(names.map(async (name) => {
      if (name === null) return undefined;
      const asset = await this.asset(name);
      const picture = asset.images[0]!;
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.width, picture.height];
      const pixels = new Uint8ClampedArray(asset.body, picture.pixels, 4 * picture.width * picture.height);
      const flipped = new Uint8ClampedArray(pixels.length);
      const row = 4 * picture.width;
      for (let y = 0; y < picture.height; y++) flipped.set(pixels.subarray(y * row, (y + 1) * row), (picture.height - 1 - y) * row);
      canvas.getContext("2d")?.putImageData(new ImageData(flipped, picture.width, picture.height), 0, 0);
      return canvas;
    }));
    const [front, back, down, up, left, right] = sides;
    if ([front, back, down, up, left, right].some((side) => side === undefined)) return;
    // a cube of three.js looks along −z with y upwards; the scene has z upwards
    const texture = new CubeTexture([right!, left!, up!, down!, front!, back!]);
    texture.colorSpace = SRGBColorSpace;
    texture.needsUpdate = true;
    this.scene.background = texture;
    this.scene.backgroundRotation.set(Math.PI / 2, 0, 0);
    this.onLoaded();
  }
}
