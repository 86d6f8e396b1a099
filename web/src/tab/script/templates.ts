// Scripts to begin with: one per kind of model.

const TEXTS: Readonly<Record<string, (name: string) => string>> = {
  friction: (name) => `// Coulomb friction: the ground stops the slip within the step, with at most mu times the load.
// In a vehicle: <friction class="${name}"><mu>0.4</mu></friction>
model({
  kind: "friction",
  name: "my/${name}",
  parameters: {
    mu: { default: 0.8, unit: "1", low: 0, doc: "Friction coefficient. A higher value makes wheels slip later." },
  },
  // one call per wheel and step, in the frame of the wheel
  force({ vx, vy, spin, normal_force, radius, inertia, gravity, mu_override }, state, { dt }) {
    const limit = (mu_override >= 0 ? mu_override : this.mu) * normal_force;
    const mass = gravity > 0 ? normal_force / gravity : 0;
    // along the rolling direction, the wheel yields, too
    const mass_x = mass * inertia / (inertia + mass * radius * radius);
    const fx = -mass_x * (vx - spin * radius) / dt;
    const fy = -mass * vy / dt;
    const size = Math.sqrt(fx * fx + fy * fy);
    const scale = size > limit ? limit / size : 1;
    return { fx: scale * fx, fy: scale * fy, spin_torque: -radius * scale * fx };
  },
});
`,
  controller: (name) => `// Drives to a point and stops there.
// In a vehicle: <controller class="${name}"><goal_x>4</goal_x></controller>
model({
  kind: "controller",
  name: "my/${name}",
  parameters: {
    goal_x: { default: 3, unit: "m", doc: "x of the goal, world frame." },
    goal_y: { default: 0, unit: "m", doc: "y of the goal, world frame." },
    speed: { default: 0.5, unit: "m/s", low: 0, doc: "Largest speed." },
  },
  inputs: ["x", "y", "yaw"],
  outputs: ["twist_vx", "twist_vy", "twist_omega"],
  // one call per vehicle and step
  control({ x, y, yaw }) {
    const distance = Math.hypot(this.goal_x - x, this.goal_y - y);
    const turn = Math.atan2(this.goal_y - y, this.goal_x - x) - yaw;
    const error = Math.atan2(Math.sin(turn), Math.cos(turn));
    const isThere = distance < 0.05;
    return {
      twist_vx: isThere ? 0 : Math.min(this.speed, distance) * Math.max(Math.cos(error), 0),
      twist_vy: 0,
      twist_omega: isThere ? 0 : 2 * error,
    };
  },
});
`,
  dynamics: (name) => `// A vehicle with two wheels, each driven by a torque.
// In a vehicle: <dynamics class="${name}"><controller class="raw"/></dynamics>
model({
  kind: "dynamics",
  name: "my/${name}",
  wheels: [{ tag: "l_wheel", x: 0, y: 0.3 }, { tag: "r_wheel", x: 0, y: -0.3 }],
  chassis: { mass: 20, zMin: 0.05, zMax: 0.4, polygon: [[-0.4, -0.3], [0.4, -0.3], [0.4, 0.3], [-0.4, 0.3]] },
  inputs: [
    { name: "torque_left", unit: "N·m", doc: "Torque of the left motor." },
    { name: "torque_right", unit: "N·m", doc: "Torque of the right motor." },
    "spin",
  ],
  // one call per vehicle and step; values of wheels are arrays
  drive({ torque_left, torque_right, spin }) {
    const drag = 0.01;
    return { torque: [torque_left - drag * spin[0], torque_right - drag * spin[1]], steer: 0 };
  },
  measureInputs: ["spin", "radius"],
  measurements: ["odometry_vx", "odometry_vy", "odometry_omega"],
  measure({ spin, radius }) {
    const [left, right] = [spin[0] * radius[0], spin[1] * radius[1]];
    return { odometry_vx: (left + right) / 2, odometry_vy: 0, odometry_omega: (right - left) / 0.6 };
  },
});
`,
  actuator: (name) => `// A motor that follows its command with a lag.
// In the dynamics: <actuator class="${name}" port="twist_vx"><lag>0.5</lag></actuator>
model({
  kind: "actuator",
  name: "my/${name}",
  parameters: { lag: { default: 0.2, unit: "s", low: 1e-3, doc: "Time constant." } },
  states: { reached: { unit: "1", doc: "Value that the motor has reached." } },
  actuate({ command }, state, { dt }) {
    state.reached += (command - state.reached) * (1 - Math.exp(-dt / this.lag));
    return { value: state.reached };
  },
});
`,
  suspension: (name) => `// An axle whose wheels lean inwards in bump.
// In a car: <suspension class="${name}" axle="front"><gain>0.5</gain></suspension>
model({
  kind: "suspension",
  name: "my/${name}",
  parameters: { gain: { default: 0.3, unit: "rad/m", doc: "Loss of camber per travel." } },
  // one call per axle and step
  kinematics({ travel_left, travel_right }) {
    const wheel = (side, travel) => ({
      ["camber_" + side]: -this.gain * travel, ["toe_" + side]: 0, ["track_" + side]: 0, ["longitudinal_" + side]: 0,
      ["caster_" + side]: 0, ["spring_" + side]: travel, ["motion_ratio_" + side]: 1, ["jacking_" + side]: 0,
    });
    return {
      ...wheel("left", travel_left), ...wheel("right", travel_right),
      roll_centre_kinematic: 0, roll_centre_constructed: 0,
    };
  },
});
`,
};

/** Kinds of models that a script can be. */
export const TEMPLATES: readonly string[] = Object.keys(TEXTS);

/** Returns a script with a model of a kind. */
export function templateOf(kind: string, name: string): string {
  return TEXTS[kind]?.(name) ?? "";
}
