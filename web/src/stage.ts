// The stage: camera, light, ground and the loop that draws.

import {
  AmbientLight, BufferGeometry, Color, DirectionalLight, Float32BufferAttribute, Fog,
  HemisphereLight, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, NoToneMapping, OrthographicCamera,
  Matrix4, PerspectiveCamera, Plane, PlaneGeometry, Quaternion, Raycaster, Scene, SRGBColorSpace, Vector2, Vector3, WebGLRenderer,
} from "three";
import type { Batch, Instance } from "./shapes";

/** How the camera moves. */
export type View = "orbit" | "follow" | "top" | "first";

/** Settings of `<gui>` and `<lights>` that the stage obeys. Angles in rad, lengths in m. */
export interface Look {
  orthographic?: boolean;
  distance?: number;
  azimuth?: number;
  elevation?: number;
  target?: [number, number, number];
  fieldOfView?: number;
  clip?: [number, number];
  shadows?: boolean;
  sunAzimuth?: number;
  sunElevation?: number;
  sunColor?: number[];
  ambient?: number;
}

export interface Pose { x: number; y: number; z: number; yaw: number }

const scratch = new Vector3();
/** Turns an optical frame into that of a camera, which looks along −z with y upwards. */
const TO_CAMERA = new Quaternion(1, 0, 0, 0);
/** Angle below which the camera does not go, rad. */
const LOWEST = 0.02;

/** Creates what draws in 3-D, unless the browser cannot. */
function rendererOf(canvas: HTMLCanvasElement): WebGLRenderer | undefined {
  try {
    const renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    renderer.outputColorSpace = SRGBColorSpace;
    renderer.toneMapping = NoToneMapping;
    renderer.shadowMap.enabled = true;
    return renderer;
  } catch {
    return undefined;
  }
}

export class Stage {
  readonly scene = new Scene();
  /** Draws in 3-D; `undefined` in a browser without WebGL 2. */
  readonly renderer: WebGLRenderer | undefined;
  /** Draws from above in a browser without WebGL 2. */
  paintFlat: (context: CanvasRenderingContext2D) => void = () => {};
  groundColor = "#dddddd";
  readonly camera = new PerspectiveCamera(50, 1, 0.1, 4000);
  private readonly flat = new OrthographicCamera(-1, 1, 1, -1, -2000, 4000);
  readonly target = new Vector3();
  distance = 30;
  azimuth = -2.2;
  elevation = 0.7;
  isOrthographic = false;
  view: View = "orbit";
  /** Pose of what is followed. */
  followed: Pose | undefined;
  /** Pose of the optical frame through which the first-person view looks: x to the right, y downwards, z ahead. */
  optical: Matrix4 | undefined;
  /** Time that scripts took since the last picture, ms. */
  spent = 0;
  readonly ground: Mesh;
  private readonly grid = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.7, toneMapped: false }));
  private readonly sun = new DirectionalLight(0xffffff, 1.7);
  private readonly sky = new HemisphereLight(0xffffff, 0xa8a49c, 1.7);
  private readonly ambient = new AmbientLight(0xffffff, 0.2);
  private readonly sunDirection = new Vector3(0.35, -0.45, 1).normalize();
  private gridKey = "";
  private readonly raycaster = new Raycaster();
  /** Called with each picture before it is drawn. */
  beforePicture: () => void = () => {};
  /** Called when a pointer goes down; returns whether it takes the movement. */
  onGrab: (event: PointerEvent) => boolean = () => false;
  onDrag: (event: PointerEvent) => void = () => {};
  onRelease: (event: PointerEvent) => void = () => {};
  onClick: (event: PointerEvent) => void = () => {};
  /** Script time of the last pictures, ms. */
  readonly times: number[] = [];
  private isDirty = true;
  /** Time up to which nothing is drawn: the first picture takes long, and is to show the world. */
  heldUntil = performance.now() + 1500;
  /** Width, height and pixel ratio of the canvas. */
  private readonly size = new Vector3();

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = rendererOf(canvas);
    if (this.renderer === undefined) {
      this.view = "top";
      this.isOrthographic = true;
      this.azimuth = -Math.PI / 2;
    }
    this.camera.up.set(0, 0, 1);
    this.flat.up.set(0, 0, 1);
    this.ground = new Mesh(new PlaneGeometry(1, 1), new MeshStandardMaterial({ roughness: 1 }));
    this.ground.receiveShadow = true;
    // the ground hides nothing, so that maps and lines on it never flicker
    (this.ground.material as MeshStandardMaterial).depthWrite = false;
    this.ground.renderOrder = -3;
    this.grid.renderOrder = -2;
    this.ground.position.z = -0.012;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.ground, this.grid, this.sun, this.sun.target, this.sky, this.ambient);
    this.listen();
    new ResizeObserver(() => this.touch()).observe(canvas);
    requestAnimationFrame(() => this.loop());
  }

  /** Asks for a new picture. */
  touch(): void {
    this.isDirty = true;
  }

  /** Sets the colours of sky and ground. */
  setTheme(isDark: boolean): void {
    const [sky, ground, line] = isDark ? [0x1a1e23, 0x2a2f35, 0x59626b] : [0xe6eaed, 0xdfe1de, 0xa4abaa];
    this.scene.background = new Color(sky);
    this.scene.fog = new Fog(sky, 400, 3000);
    (this.ground.material as MeshStandardMaterial).color.set(ground);
    this.groundColor = `#${ground.toString(16).padStart(6, "0")}`;
    (this.grid.material as LineBasicMaterial).color.set(line);
    this.sky.groundColor.set(isDark ? 0x8a8a8a : 0xa8a49c);
    this.touch();
  }

  apply(look: Look): void {
    this.isOrthographic = look.orthographic ?? this.isOrthographic;
    this.distance = look.distance ?? this.distance;
    this.azimuth = look.azimuth ?? this.azimuth;
    this.elevation = look.elevation ?? this.elevation;
    if (look.target !== undefined) this.target.set(...look.target);
    if (look.fieldOfView !== undefined) this.camera.fov = (look.fieldOfView * 180) / Math.PI;
    if (look.clip !== undefined) [this.camera.near, this.camera.far] = look.clip;
    this.sun.castShadow = look.shadows ?? this.sun.castShadow;
    if (look.ambient !== undefined) [this.ambient.intensity, this.sky.intensity] = [0.4 * look.ambient, 0.9 + 1.6 * look.ambient];
    if (look.sunAzimuth !== undefined && look.sunElevation !== undefined) {
      const [azimuth, elevation] = [look.sunAzimuth, Math.max(look.sunElevation, 0.05)];
      this.sunDirection.set(Math.cos(azimuth) * Math.cos(elevation), Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation));
    }
    if (look.sunColor !== undefined) {
      const [r = 255, g = 255, b = 255] = look.sunColor;
      this.sun.color.setRGB(r / 255, g / 255, b / 255, SRGBColorSpace);
    }
    this.touch();
  }

  private get eye(): PerspectiveCamera | OrthographicCamera {
    return this.isOrthographic ? this.flat : this.camera;
  }

  private place(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(window.devicePixelRatio, 2);
    if (this.size.x !== width || this.size.y !== height || this.size.z !== ratio) {
      this.size.set(width, height, ratio);
      this.renderer?.setPixelRatio(ratio);
      if (this.renderer !== undefined) this.renderer.setSize(width, height, false);
      else [this.canvas.width, this.canvas.height] = [ratio * width, ratio * height];
      this.isDirty = true;
    }
    const { followed } = this;
    let azimuth = this.azimuth;
    let elevation = this.elevation;
    // without 3-D, the picture from above stays where it was moved
    if (followed !== undefined && this.view !== "orbit" && this.renderer !== undefined) {
      this.target.set(followed.x, followed.y, followed.z + 0.3);
      if (this.view === "follow") azimuth = followed.yaw + Math.PI + this.azimuth;
    }
    if (this.view === "top") elevation = Math.PI / 2 - 1e-4;
    const direction = new Vector3(
      Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation),
    );
    const aspect = width / Math.max(height, 1);
    if (this.view === "first" && followed !== undefined) {
      const { x, y, z, yaw } = followed;
      if (this.optical !== undefined) {
        this.camera.position.setFromMatrixPosition(this.optical);
        this.camera.quaternion.setFromRotationMatrix(this.optical).multiply(TO_CAMERA);
      } else {
        this.camera.position.set(x, y, z);
        this.camera.lookAt(x + Math.cos(yaw), y + Math.sin(yaw), z);
      }
    } else {
      this.eye.position.copy(this.target).addScaledVector(direction, this.distance);
      if (this.view === "top") this.eye.up.set(Math.cos(azimuth + Math.PI), Math.sin(azimuth + Math.PI), 0);
      else this.eye.up.set(0, 0, 1);
      this.eye.lookAt(this.target);
    }
    this.camera.aspect = aspect;
    const half = this.distance * Math.tan((this.camera.fov * Math.PI) / 360);
    [this.flat.left, this.flat.right, this.flat.top, this.flat.bottom] = [-half * aspect, half * aspect, half, -half];
    this.camera.updateProjectionMatrix();
    this.flat.updateProjectionMatrix();
    this.placeGround();
  }

  /** Lets ground, grid and shadows follow the camera. */
  private placeGround(): void {
    const extent = Math.max(40, 12 * this.distance);
    const step = 10 ** Math.floor(Math.log10(Math.max(this.distance, 1) / 4)) || 1;
    const cell = this.distance / step > 20 ? 5 * step : step;
    const [x, y] = [Math.round(this.target.x / cell) * cell, Math.round(this.target.y / cell) * cell];
    this.ground.scale.set(2 * extent, 2 * extent, 1);
    this.ground.position.x = x;
    this.ground.position.y = y;
    const key = `${x} ${y} ${cell} ${Math.round(Math.log2(this.distance))}`;
    if (key !== this.gridKey) {
      this.gridKey = key;
      const points: number[] = [];
      const count = 60;
      for (let i = -count; i <= count; i++) {
        // in pieces, because some drivers drop lines that pass behind the camera
        for (let j = -count; j < count; j += 4) {
          points.push(x + i * cell, y + j * cell, 0, x + i * cell, y + (j + 4) * cell, 0);
          points.push(x + j * cell, y + i * cell, 0, x + (j + 4) * cell, y + i * cell, 0);
        }
      }
      this.grid.geometry.dispose();
      this.grid.geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
    }
    const reach = Math.min(Math.max(1.3 * this.distance, 6), 300);
    this.sun.target.position.copy(this.target);
    this.sun.position.copy(this.target).addScaledVector(this.sunDirection, 2 * reach);
    const shadow = this.sun.shadow.camera;
    [shadow.left, shadow.right, shadow.top, shadow.bottom] = [-reach, reach, reach, -reach];
    [shadow.near, shadow.far] = [0.1, 5 * reach];
    shadow.updateProjectionMatrix();
  }

  /** Shows or hides the lines on the ground. */
  setGround(hasLines: boolean): void {
    this.grid.visible = hasLines;
    this.touch();
  }

  private loop(): void {
    requestAnimationFrame(() => this.loop());
    if (document.hidden) return;
    const start = performance.now();
    this.beforePicture();
    this.place();
    if (!this.isDirty || start < this.heldUntil) return;
    this.isDirty = false;
    if (this.renderer !== undefined) {
      this.renderer.render(this.scene, this.eye);
    } else {
      const context = this.canvas.getContext("2d");
      context?.setTransform(this.size.z, 0, 0, this.size.z, 0, 0);
      this.eye.updateMatrixWorld();
      if (context !== null) this.paintFlat(context);
    }
    this.times.push(performance.now() - start + this.spent);
    this.spent = 0;
    if (this.times.length > 120) this.times.shift();
  }

  /** Returns where a point of the world is in the canvas, px. */
  project(x: number, y: number, z: number): { x: number; y: number; isVisible: boolean } {
    const point = scratch.set(x, y, z).project(this.eye);
    return {
      x: ((point.x + 1) / 2) * this.canvas.clientWidth,
      y: ((1 - point.y) / 2) * this.canvas.clientHeight,
      isVisible: point.z < 1 && Math.abs(point.x) <= 1 && Math.abs(point.y) <= 1,
    };
  }

  private aim(event: { clientX: number; clientY: number }): void {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(
      (2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height,
    );
    this.raycaster.setFromCamera(at, this.eye);
  }

  /** Returns what is under the pointer. */
  pick(event: { clientX: number; clientY: number }): { instance: Instance; point: Vector3 } | undefined {
    this.aim(event);
    for (const hit of this.raycaster.intersectObjects(this.scene.children, true)) {
      const batch = hit.object.userData["batch"] as Batch | undefined;
      const instance = hit.instanceId === undefined ? undefined : batch?.instances[hit.instanceId];
      if (instance !== undefined) return { instance, point: hit.point };
    }
    return undefined;
  }

  /** Returns the point under the pointer at a height. */
  pointAt(event: { clientX: number; clientY: number }, height: number): Vector3 | undefined {
    this.aim(event);
    return this.raycaster.ray.intersectPlane(new Plane(new Vector3(0, 0, 1), -height), new Vector3()) ?? undefined;
  }

  private listen(): void {
    const { canvas } = this;
    const pointers = new Map<number, { x: number; y: number }>();
    let isTaken = false;
    let travelled = 0;
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      canvas.focus();
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      travelled = 0;
      isTaken = pointers.size === 1 && event.button === 0 && this.onGrab(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      const old = pointers.get(event.pointerId);
      if (old === undefined) return;
      const [dx, dy] = [event.clientX - old.x, event.clientY - old.y];
      const spread = (): number => {
        const [a, b] = [...pointers.values()];
        return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
      };
      const before = spread();
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      travelled += Math.abs(dx) + Math.abs(dy);
      if (isTaken) this.onDrag(event);
      else if (pointers.size > 1) {
        const after = spread();
        if (before > 0 && after > 0) this.zoom(before / after);
        this.pan(dx / 2, dy / 2);
      } else if (event.buttons & 2 || event.shiftKey || this.renderer === undefined) this.pan(dx, dy);
      else this.turn(dx, dy);
    });
    const end = (event: PointerEvent): void => {
      if (!pointers.delete(event.pointerId)) return;
      if (isTaken) this.onRelease(event);
      else if (travelled < 5 && event.type === "pointerup") this.onClick(event);
      isTaken = false;
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(0.0012 * event.deltaY));
    }, { passive: false });
  }

  private zoom(factor: number): void {
    this.distance = Math.min(Math.max(this.distance * factor, 0.5), 3000);
    this.touch();
  }

  private turn(dx: number, dy: number): void {
    this.azimuth -= 0.006 * dx;
    if (this.view === "top") return this.touch();
    this.elevation = Math.min(Math.max(this.elevation + 0.006 * dy, LOWEST), Math.PI / 2 - 1e-3);
    this.touch();
  }

  /** Moves the target along the ground. */
  private pan(dx: number, dy: number): void {
    if (this.view === "follow" || this.view === "first") return;
    const scale = (1.6 * this.distance) / Math.max(this.canvas.clientHeight, 1);
    const [c, s] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    this.target.x += scale * (s * dx - c * dy);
    this.target.y += scale * (-c * dx - s * dy);
    if (this.view === "top") this.followed = undefined;
    this.touch();
  }
}
