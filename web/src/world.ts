// What the service `/simhost/describe` says about a world.

export interface Visual {
  asset: string;
  file: string;
  scale: number;
  pose: [number, number, number, number, number, number];
  color: [number, number, number, number] | null;
}

export interface Body { label: string; visuals: Visual[]; movable?: boolean; size?: [number, number, number] }

export interface VehicleInfo extends Body {
  controller: string;
  dynamics: string;
  friction: string;
  sensors: { name: string; class: string; period_s: number }[];
  wheels: { name: string; diameter: number; width: number; visuals: Visual[] }[];
}

export interface ParameterInfo {
  unit: string; doc: string; min: number | null; max: number | null; choices: string[]; default: string | null;
}

/** An input of a vehicle, such as the setpoint of its controller. */
export interface InputInfo {
  topic: string;
  schemaName: string;
  vehicle: string | null;
  kind: string | null;
  fields: { name: string; unit: string; doc: string; count: number }[];
}

export interface World {
  seed: number | null;
  duration_s: number | null;
  gui: {
    ortho: boolean; show_forces: boolean; force_scale: number; show_sensor_points: boolean; cam_distance: number;
    cam_azimuth: number; cam_elevation: number; cam_point_to: [number, number, number]; fov: number;
    clip: [number, number]; follow_vehicle: string | null; is_given: boolean;
  };
  has_gamepad?: boolean;
  lights: {
    shadows: boolean; azimuth: number; elevation: number; color: number[]; ambient: number; is_given: boolean;
  };
  sky: (string | null)[] | null;
  lines: { points: [number, number, number][]; color: number[] }[];
  ground_grids: { interval: number; color: number[]; floating: boolean; focus: string | null }[];
  paths?: { label: string; points: [number, number][] }[];
  vehicles: VehicleInfo[];
  bodies: Body[];
  parameters: Record<string, ParameterInfo>;
}

export interface Description { world: World | null; inputs: InputInfo[] }
