// Turns what a script declares into a declaration as the simulator reads it: framework/registry/src/declared.rs.

import { type Fields, known, named, numberOf, Rule, textOf, truthOf } from "./rules";

/** Name, unit, description, default and scope of a quantity of the host. */
export type PortRow = readonly [string, string, string, number | null, number];

/** The quantities of the host for a phase, and the numbers of the first ones that every model has. */
export type HostPorts = readonly [inputs: readonly PortRow[], neededInputs: number, outputs: readonly PortRow[], neededOutputs: number];

export const SCOPES = { instance: 0, wheel: 1, array: 3 } as const;
const OPTIONAL = 1;
const COMMAND = 2;
const REQUIRED = 4;
const STATE_KINDS = ["continuous", "discrete", "counter", "angle"];
const PARAMETER_KINDS = { number: 1, integer: 2, bool: 3, text: 4, choice: 5, list: 7 } as const;

/** Methods of each kind; of the first ones, one is needed. */
const METHODS: Readonly<Record<string, readonly [readonly string[], ...(readonly string[])[]]>> = {
  friction: [["force"]],
  controller: [["control"]],
  dynamics: [["drive", "wrench", "motion"], ["measure"]],
  actuator: [["actuate"]],
  suspension: [["kinematics"]],
};
const OTHER_KINDS = ["sensor", "environment", "fleet", "observer"];
const KEYS = ["kind", "name", "version", "doc", "parameters", "states", "inputs", "outputs", "commands", "wheels", "chassis",
  "measureInputs", "measurements", "unit", "holonomic", "jumps", "prepare", "arrange", "rates"];
const PORT_KEYS = ["name", "unit", "doc", "default", "required", "optional", "perWheel", "reading", "key"];

export interface Column { readonly name: string; readonly scope: number }

interface Port extends Column { unit: string; description: string; default: number; flags: number; key: string; key_unit: string; key_scale: number }

/** A phase of a model: its method, if it has one, and its columns. */
export interface PhaseOf { readonly id: string; readonly method: string | undefined; readonly inputs: Port[]; readonly outputs: Port[] }

/** The model of a script. */
export interface Declared {
  readonly kind: string;
  readonly full: string;
  readonly parameters: readonly string[];
  readonly states: readonly Column[];
  readonly phases: readonly PhaseOf[];
  /** The methods, and what else the script has put next to them. */
  readonly prototype: Fields;
  /** The declaration in JSON. */
  readonly json: string;
}

/** Returns the model that a script declares. Throws a [Rule] that the declaration breaks. */
export function declare(given: unknown, host: Readonly<Record<string, HostPorts>>): Declared {
  if (typeof given !== "object" || given === null) throw new Rule("model", "`model` needs an object, as in `model({ kind: \"friction\", … })`");
  const prototype = given as Fields;
  const kind = kindOf(prototype["kind"]);
  known(prototype, [...KEYS, ...METHODS[kind]!.flat()], (key) => typeof prototype[key] !== "function");
  const full = textOf(prototype, "name", "a name such as \"my/rubber\"");
  const [vendor, name] = full.includes("/") ? [full.slice(0, full.indexOf("/")), full.slice(full.indexOf("/") + 1)] : ["my", full];
  if (vendor === "" || name === "") throw new Rule(full, `the name is \`${full}\`; expected VENDOR/CLASS, such as "my/rubber"`);
  const parameters = Object.entries(fields(prototype, "parameters")).map(([key, one]) => parameter(key, one));
  const states = Object.entries(fields(prototype, "states")).map(([key, one]) => state(key, one));
  const commands = Object.entries(fields(prototype, "commands")).map(([command, ports]) => [command, names(ports, command)] as const);
  const phases = new Phases(prototype, kind, host, new Set(commands.flatMap(([, ports]) => ports))).all;
  if (typeof prototype["rates"] === "function") phases.push(rates(kind, phases[0]!, states));
  const isDynamics = kind === "dynamics";
  const declaration = {
    kind, vendor, name,
    version: prototype["version"] === undefined ? "0.1.0" : textOf(prototype, "version", "a version such as \"0.1.0\""),
    doc: prototype["doc"] === undefined ? `The model ${full} of a script.` : textOf(prototype, "doc", "a text"),
    flags: (isDynamics && truthOf(prototype, "holonomic") ? 1 : 0) | (kind === "friction" && truthOf(prototype, "jumps") ? 32 : 0),
    parameters, states, commands,
    phases: phases.map(({ id, inputs, outputs }) => ({ id, inputs, outputs })),
    wheels: isDynamics ? wheels(prototype["wheels"]) : [],
    chassis: isDynamics && prototype["chassis"] !== undefined ? chassis(prototype["chassis"]) : null,
    compiled: [],
  };
  // JSON has no infinite numbers
  const json = JSON.stringify(declaration, (_, value: unknown) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value));
  return { kind, full: `${vendor}/${name}`, parameters: parameters.map(({ key }) => key), states, phases, prototype, json };
}

function kindOf(found: unknown): string {
  if (typeof found === "string" && Object.hasOwn(METHODS, found)) return found;
  const expected = Object.keys(METHODS).join(", ");
  if (OTHER_KINDS.includes(String(found))) throw new Rule(String(found), `a script cannot be a model of the kind \`${String(found)}\`; expected ${expected}`);
  throw new Rule("kind", `the kind is ${found === undefined ? "missing" : `\`${String(found)}\``}; expected ${expected}${named(String(found), Object.keys(METHODS))}`);
}

function fields(own: Fields, key: string): Fields {
  const found = own[key] ?? {};
  if (typeof found !== "object" || Array.isArray(found)) throw new Rule(key, `\`${key}\` is not an object, as in \`${key}: { name: … }\``);
  return found as Fields;
}

function list(found: unknown, key: string): unknown[] {
  if (found === undefined) return [];
  if (!Array.isArray(found)) throw new Rule(key, `\`${key}\` is not an array`);
  return found;
}

function names(found: unknown, key: string): string[] {
  return list(found, key).map((one) => {
    if (typeof one !== "string") throw new Rule(key, `\`${key}\` has an entry that is not the name of a port`);
    return one;
  });
}

function parameter(key: string, given: unknown): { key: string } & Fields {
  const isShort = typeof given !== "object" || given === null || Array.isArray(given);
  const own: Fields = isShort ? { default: given } : (given as Fields);
  known(own, ["default", "unit", "doc", "low", "high", "integer", "scale", "choices"], undefined, key);
  const choices = names(own["choices"], key);
  const initial = own["default"] ?? null;
  const kind = ((): keyof typeof PARAMETER_KINDS => {
    if (typeof initial === "boolean") return "bool";
    if (choices.length > 0) return "choice";
    if (typeof initial === "string") return "text";
    if (Array.isArray(initial) && initial.every((item) => typeof item === "number")) return "list";
    if (initial === null || (typeof initial === "number" && Number.isFinite(initial))) return truthOf(own, "integer") ? "integer" : "number";
    throw new Rule(key, `the default of the parameter \`${key}\` is \`${String(initial)}\`; expected a finite number, a boolean, a text or an array of numbers`);
  })();
  return {
    key, unit: unitOf(own), description: docOf(own, key), kind: PARAMETER_KINDS[kind], flags: initial === null ? 1 : 0, count: 0,
    scale: numberOf(own, "scale", 1), low: numberOf(own, "low", -Infinity), high: numberOf(own, "high", Infinity), default: initial, choices,
  };
}

function state(name: string, given: unknown): Column & Fields {
  const own: Fields = typeof given === "number" ? { initial: given } : Object(given) as Fields;
  known(own, ["initial", "from", "unit", "doc", "kind", "perWheel"], undefined, name);
  const kind = own["kind"] ?? "continuous";
  if (!STATE_KINDS.includes(String(kind))) {
    throw new Rule(name, `the kind of the state \`${name}\` is \`${String(kind)}\`; expected ${STATE_KINDS.join(", ")}${named(String(kind), STATE_KINDS)}`);
  }
  return {
    name, unit: unitOf(own), description: docOf(own, name), initial: numberOf(own, "initial", 0),
    initial_from: own["from"] === undefined ? "" : textOf(own, "from", "the name of a parameter"),
    scope: truthOf(own, "perWheel") ? SCOPES.wheel : SCOPES.instance, kind: STATE_KINDS.indexOf(String(kind)),
  };
}

function unitOf(own: Fields): string {
  return own["unit"] === undefined ? "1" : textOf(own, "unit", "a unit such as \"m/s\"");
}

function docOf(own: Fields, name: string): string {
  return own["doc"] === undefined ? `The quantity ${name} of the script.` : textOf(own, "doc", "a text");
}

function wheels(found: unknown): Fields[] {
  return list(found, "wheels").map((one) => {
    const own = Object(one) as Fields;
    known(own, ["tag", "x", "y", "steers", "swivels"], undefined, "wheels");
    return {
      tag: textOf(own, "tag", "the name of the element in the world, such as \"l_wheel\""), x: numberOf(own, "x", 0), y: numberOf(own, "y", 0),
      flags: (truthOf(own, "steers") ? 4 : 0) | (truthOf(own, "swivels") ? 8 : 0),
    };
  });
}

function chassis(found: unknown): Fields {
  const own = Object(found) as Fields;
  known(own, ["mass", "zMin", "zMax", "polygon"], undefined, "chassis");
  const polygon = list(own["polygon"], "polygon").map((point) => {
    if (!Array.isArray(point) || point.length !== 2 || !point.every((value) => Number.isFinite(value))) {
      throw new Rule("polygon", "`polygon` of the chassis has a corner that is not [x, y]");
    }
    return point as unknown;
  });
  return { mass: numberOf(own, "mass", 15), z_min: numberOf(own, "zMin", 0.05), z_max: numberOf(own, "zMax", 0.6), polygon };
}

function rates(kind: string, before: PhaseOf, states: readonly (Column & Fields)[]): PhaseOf {
  if (kind === "suspension") throw new Rule("rates", "a suspension has no `rates`");
  const outputs = states.map(({ name, scope, unit }) => port(name, `(${String(unit)})/s`, `Rate of ${name}.`, 0, 0, scope));
  return { id: "rates", method: "rates", inputs: before.inputs.map((one) => ({ ...one })), outputs };
}

function port(name: string, unit: string, description: string, initial: number, flags: number, scope: number, key = ""): Port {
  return { name, unit, description, default: initial, flags, scope, key, key_unit: key === "" ? "" : unit, key_scale: 1 };
}

// an infinite default is null in JSON
function hostPort([name, unit, doc, initial, scope]: PortRow): Port {
  return port(name, unit, doc, initial ?? Infinity, 0, scope);
}

/** The phases of a model, from its methods and ports. */
class Phases {
  readonly all: PhaseOf[];

  constructor(private readonly own: Fields, private readonly kind: string, private readonly host: Readonly<Record<string, HostPorts>>,
    private readonly commanded: ReadonlySet<string>) {
    this.all = METHODS[kind]!.map((choices, index) => this.phase(choices, index === 0));
  }

  private phase(choices: readonly string[], isFirst: boolean): PhaseOf {
    const own = choices.filter((one) => typeof this.own[one] === "function");
    if (own.length > 1) throw new Rule(own[1]!, `the model has the methods ${own.map((one) => `\`${one}\``).join(" and ")}; expected one of them`);
    if (isFirst && own.length === 0) {
      throw new Rule("kind", `the model has no method ${choices.map((one) => `\`${one}\``).join(" or ")}; a ${this.kind} needs one`);
    }
    const id = own[0] ?? choices[0]!;
    const [knownInputs, neededInputs, knownOutputs, neededOutputs] = this.host[id]!;
    const unit = this.own["unit"] === undefined ? "1" : textOf(this.own, "unit", "a unit");
    const inputs = id === "actuate" ? [port("command", unit, "Value before the actuator.", 0, 0, 0)] : knownInputs.slice(0, neededInputs).map(hostPort);
    const outputs = id === "actuate" ? [port("value", unit, "Value that arrives.", 0, 0, 0)] : knownOutputs.slice(0, neededOutputs).map(hostPort);
    if (own.length === 0) return { id, method: undefined, inputs, outputs: [] };
    const [more, further] = id === "measure" ? ["measureInputs", "measurements"] : ["inputs", "outputs"];
    inputs.push(...list(this.own[more], more).map((one) => this.input(one, knownInputs, more)));
    outputs.push(...list(this.own[further], further).map((one) => this.output(one, knownOutputs, further, id)));
    return { id, method: id, inputs, outputs };
  }

  private input(given: unknown, known: readonly PortRow[], list: string): Port {
    if (typeof given === "string") return fromHost(given, known, list);
    const own = ownPort(given, list);
    const flags = (this.commanded.has(String(own["name"])) && this.kind === "controller" ? COMMAND : 0)
      | (truthOf(own, "required") ? REQUIRED : 0) | (truthOf(own, "optional") ? OPTIONAL : 0);
    return portOf(own, flags, truthOf(own, "reading") ? SCOPES.array : undefined);
  }

  private output(given: unknown, known: readonly PortRow[], list: string, id: string): Port {
    if (typeof given === "string") return fromHost(given, known, list);
    const own = ownPort(given, list);
    const isTaken = known.some(([name]) => name === own["name"]);
    const isPublished = ["force", "actuate", "measure"].includes(id);
    return portOf(own, (isPublished && !isTaken) || truthOf(own, "optional") ? OPTIONAL : 0);
  }
}

function ownPort(given: unknown, list: string): Fields {
  const own = Object(given) as Fields;
  known(own, PORT_KEYS, undefined, list);
  return own;
}

function portOf(own: Fields, flags: number, scope?: number): Port {
  const name = textOf(own, "name", "the name of the port");
  const key = own["key"] === undefined ? "" : textOf(own, "key", "the name of an element of the world");
  const lanes = truthOf(own, "perWheel") ? SCOPES.wheel : SCOPES.instance;
  return port(name, unitOf(own), docOf(own, name), numberOf(own, "default", 0), flags, scope ?? lanes, key);
}

function fromHost(name: string, known: readonly PortRow[], list: string): Port {
  const found = known.find((one) => one[0] === name);
  if (found !== undefined) return hostPort(found);
  const all = known.map((one) => one[0]);
  throw new Rule(name, `\`${name}\` in \`${list}\` is not a quantity of the host${named(name, all)}; expected an object with a name, or one of ${all.join(", ")}`);
}
