// Driving a vehicle: keys, a gamepad, and sliders.

import { button, el, isTyping, shown } from "./dom";
import type { Control } from "./source";
import type { InputInfo } from "./world";

/** Time between two messages while something is held, ms. */
const PERIOD = 50;
/** Deflection of a stick that counts as none. */
const DEAD = 0.08;

/** A number of an input. */
interface Slot { name: string; label: string; unit: string; most: number; value: number; isOneSided: boolean }

/** How a kind of command is driven: what a forward and a leftward request mean. */
export interface Steering {
  readonly slots: Slot[];
  /** Sets the values for requests from −1 to 1. */
  request(forward: number, left: number, brake: boolean): void;
  message(): object;
}

/** Returns how an input is driven. `length` is that of the vehicle in m. */
export function steering(input: InputInfo, length: number): Steering {
  const isLarge = length > 1.6;
  const slot = (name: string, label: string, unit: string, most: number, isOneSided = false): Slot =>
    ({ name, label, unit, most, value: 0, isOneSided });
  const isTwist = input.schemaName.endsWith("/Twist");
  if (isTwist || input.schemaName.endsWith("/AckermannDrive")) {
    const v = slot(isTwist ? "linear.x" : "speed", "Speed", "m/s", isTwist && !isLarge ? 1 : 5);
    const turn = isTwist ? slot("angular.z", "Turn rate", "rad/s", isLarge ? 0.6 : 1.5) : slot("steering_angle", "Steering", "rad", 0.6);
    return {
      slots: [v, turn],
      request: (forward, left, brake) => {
        v.value = brake ? 0 : v.most * forward;
        // a car that reverses turns the other way at the same wheel
        turn.value = isTwist && brake ? 0 : turn.most * left * (isTwist && isLarge && forward < 0 ? -1 : 1);
      },
      message: () => isTwist ? { linear: { x: v.value }, angular: { z: turn.value } } : { speed: v.value, steering_angle: turn.value },
    };
  }
  const slots = input.fields.map(({ name, unit }) => {
    const isPedal = /throttle|brake|clutch|pedal|gas/.test(name);
    const most = /N·m|Nm/.test(unit) ? (isLarge ? 500 : 20) : /rad/.test(unit) && !/s/.test(unit) ? 0.6 : /m\/s/.test(unit) ? 3 : 1;
    return slot(name, name.replaceAll("_", " "), unit, most, isPedal);
  });
  const find = (pattern: RegExp): Slot | undefined => slots.find((one) => pattern.test(one.name));
  const [throttle, brakes, turn] = [find(/throttle|gas|accel|drive/), find(/brake/), find(/steer/)];
  return {
    slots,
    request: (forward, left, brake) => {
      if (throttle !== undefined) {
        throttle.value = throttle.most * Math.max(forward, 0);
        if (brakes !== undefined) brakes.value = brake ? brakes.most : brakes.most * Math.max(-forward, 0);
        if (turn !== undefined) turn.value = turn.most * left;
        return;
      }
      for (const one of slots) {
        if (/steer/.test(one.name)) one.value = one.most * left;
        else if (/torque|speed|force|spin/.test(one.name)) {
          const side = /(^|_)l|left/.test(one.name) ? -1 : /(^|_)r|right/.test(one.name) ? 1 : 0;
          one.value = brake ? 0 : one.most * Math.max(-1, Math.min(1, forward + 0.6 * side * left));
        }
      }
    },
    message: () => Object.fromEntries(slots.map((one) => [one.name, one.value])),
  };
}

const KEYS: Record<string, [number, number]> = {
  ArrowUp: [1, 0], KeyW: [1, 0], ArrowDown: [-1, 0], KeyS: [-1, 0],
  ArrowLeft: [0, 1], KeyA: [0, 1], ArrowRight: [0, -1], KeyD: [0, -1],
};

/** Drives one vehicle at a time. */
export class Driver {
  readonly panel = el("section", { class: "panel-body" });
  private readonly held = new Set<string>();
  private isBraking = false;
  private input: InputInfo | undefined;
  private how: Steering | undefined;
  private timer: number | undefined;
  private pad: [number, number, boolean] | undefined;
  private readonly sliders = new Map<string, { range: HTMLInputElement; text: HTMLElement }>();
  private vehicle = "";
  /** Vehicles that this page holds. */
  private claimed = "";
  /** Who drives which vehicle, as the server says. */
  private holders: Record<string, string> = {};
  private me = "";
  private readonly status = el("p", { class: "hint" });
  onError: (text: string) => void = () => {};

  constructor(
    private readonly control: Control,
    private readonly inputs: () => readonly InputInfo[],
    private readonly lengthOf: (vehicle: string) => number,
  ) {
    window.addEventListener("keydown", (event) => this.key(event, true));
    window.addEventListener("keyup", (event) => this.key(event, false));
    window.addEventListener("blur", () => this.letGo());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.letGo(); });
    window.addEventListener("pagehide", () => { this.letGo(); this.release(); });
  }

  /** Chooses the vehicle. */
  select(vehicle: string): void {
    if (vehicle === this.vehicle && this.input !== undefined) return;
    this.letGo();
    this.release();
    this.vehicle = vehicle;
    const own = this.ofVehicle();
    this.choose(own[0]);
  }

  private ofVehicle(): InputInfo[] {
    const rank = (input: InputInfo): number =>
      input.schemaName.endsWith("/Twist") ? 0 : input.schemaName.endsWith("/AckermannDrive") ? 1 : 2;
    return this.inputs()
      .filter((input) => input.vehicle === this.vehicle && input.kind !== null && input.fields.some((field) => field.count > 0))
      .sort((a, b) => rank(a) - rank(b));
  }

  private choose(input: InputInfo | undefined): void {
    this.input = input;
    this.how = input === undefined ? undefined : steering(input, this.lengthOf(this.vehicle));
    this.build();
  }

  private build(): void {
    this.sliders.clear();
    const { how, input } = this;
    if (how === undefined || input === undefined) {
      const text = this.vehicle === "" ? "Select a vehicle to drive it." : `${this.vehicle} takes no commands.`;
      this.panel.replaceChildren(el("p", { class: "hint" }, text));
      return;
    }
    const kinds = this.ofVehicle();
    const choice = el("select", { "aria-label": "Kind of command", change: () => {
      this.letGo();
      this.choose(kinds[choice.selectedIndex]);
    } }, ...kinds.map((one) => el("option", { value: one.topic }, one.kind ?? one.topic)));
    choice.selectedIndex = kinds.indexOf(input);
    const rows = how.slots.map((slot) => {
      const text = el("output", {}, "0");
      const range = el("input", {
        type: "range", min: slot.isOneSided ? 0 : -slot.most, max: slot.most, step: slot.most / 200, value: 0,
        "aria-label": slot.label,
        input: () => { slot.value = Number(range.value); this.start(); this.show(); },
        dblclick: () => { slot.value = 0; this.send(); this.show(); },
      });
      const most = el("input", {
        type: "number", min: 0, step: "any", value: slot.most, title: `Largest ${slot.label.toLowerCase()}`, class: "most",
        change: () => {
          slot.most = Math.max(Number(most.value) || 0, 1e-3);
          range.max = String(slot.most);
          range.min = String(slot.isOneSided ? 0 : -slot.most);
          range.step = String(slot.most / 200);
        },
      });
      this.sliders.set(slot.name, { range, text });
      return el("div", { class: "slider" },
        el("label", {}, slot.label), text, el("span", { class: "unit" }, slot.unit === "1" ? "" : slot.unit), range, most);
    });
    this.panel.replaceChildren(
      el("div", { class: "row" }, el("span", { class: "label" }, "Command"), choice),
      ...rows,
      el("div", { class: "row" },
        button("Stop", "Send zeros (space)", () => this.stop(), "wide"),
        button("Let go", "Let others drive this vehicle", () => { this.stop(); this.release(); })),
      this.status,
      el("p", { class: "hint" }, "Arrow keys or W A S D drive, space brakes. A gamepad drives with its left stick or its triggers."),
    );
    this.show();
  }

  private show(): void {
    for (const slot of this.how?.slots ?? []) {
      const parts = this.sliders.get(slot.name);
      if (parts === undefined) continue;
      parts.range.value = String(slot.value);
      parts.text.textContent = shown(slot.value);
    }
    const holder = this.holders[this.vehicle];
    this.status.textContent = holder === undefined ? "Nobody drives." : holder === this.me ? "You drive." : `Driven by ${holder}; you watch.`;
  }

  /** Learns who drives. */
  setHolders(holders: Record<string, string>): void {
    this.holders = holders;
    this.show();
  }

  /** Forgets who drives and how, because the simulation is another one. */
  forget(): void {
    this.letGo();
    this.holders = {};
    this.claimed = "";
    this.choose(undefined);
  }

  private get isBlocked(): boolean {
    const holder = this.holders[this.vehicle];
    return holder !== undefined && holder !== this.me;
  }

  private key(event: KeyboardEvent, isDown: boolean): void {
    if (isDown && (event.ctrlKey || event.metaKey || event.altKey || isTyping(event))) return;
    if (event.code === "Space" && this.how !== undefined) {
      if (event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      this.isBraking = isDown;
      this.apply();
      return;
    }
    if (!(event.code in KEYS) || this.how === undefined) return;
    event.preventDefault();
    if (isDown) this.held.add(event.code);
    else this.held.delete(event.code);
    if (!isDown || !event.repeat) this.apply();
  }

  private apply(): void {
    let [forward, left] = [0, 0];
    for (const code of this.held) {
      const [f, l] = KEYS[code] as [number, number];
      forward += f;
      left += l;
    }
    let brake = this.isBraking;
    if (this.pad !== undefined && this.held.size === 0) [forward, left, brake] = this.pad;
    this.how?.request(Math.max(-1, Math.min(1, forward)), Math.max(-1, Math.min(1, left)), brake);
    this.show();
    const isHeld = this.held.size > 0 || this.isBraking || this.pad !== undefined;
    if (isHeld) this.start();
    else this.halt();
  }

  private start(): void {
    this.claim();
    // what changes while something is held is part of the next message
    if (this.timer !== undefined) return;
    this.send();
    this.timer = window.setInterval(() => {
      this.readPad();
      this.send();
    }, PERIOD);
  }

  /** Ends the messages with a last one, which has the present values. */
  private halt(): void {
    if (this.timer === undefined) return;
    window.clearInterval(this.timer);
    this.timer = undefined;
    this.send();
  }

  /** Lets go of all keys and sends zeros. */
  letGo(): void {
    if (this.timer === undefined) return;
    // a stick that is still held drives again only after it has been released
    this.ignoresPad = this.pad !== undefined;
    this.stop();
  }
  private ignoresPad = false;

  stop(): void {
    this.held.clear();
    this.isBraking = false;
    this.pad = undefined;
    this.how?.request(0, 0, false);
    for (const slot of this.how?.slots ?? []) slot.value = 0;
    window.clearInterval(this.timer);
    this.timer = undefined;
    this.send();
    this.show();
  }

  private send(): void {
    if (this.input === undefined || this.how === undefined || this.isBlocked) return;
    this.control.publish(this.input.topic, this.input.schemaName, this.how.message());
  }

  private claim(): void {
    if (this.claimed === this.vehicle || !this.control.offers("/simhost/claim")) return;
    const { vehicle } = this;
    this.claimed = vehicle;
    this.control.call("/simhost/claim", { vehicle }).then((reply) => {
      if (reply["success"] === true) {
        this.me = String(reply["message"]);
        this.holders = { ...this.holders, [vehicle]: this.me };
      } else {
        this.claimed = "";
        this.onError(String(reply["message"]));
      }
      this.show();
    }).catch((error: unknown) => { this.claimed = ""; this.onError(String(error)); });
  }

  private release(): void {
    if (this.claimed === "") return;
    const vehicle = this.claimed;
    this.claimed = "";
    const { [vehicle]: _, ...rest } = this.holders;
    this.holders = rest;
    this.control.call("/simhost/release", { vehicle }).catch(() => {});
    this.show();
  }

  /** Whether a gamepad drives; `<joystick_enabled>` of the world can say no. */
  usesPad = true;

  /** Reads the gamepad. Called with each picture, because gamepads send no events. */
  readPad(): void {
    if (!this.usesPad) return;
    const pads = navigator.getGamepads?.() ?? [];
    const pad = [...pads].find((one) => one?.connected);
    if (!pad) return;
    const dead = (value: number): number => (Math.abs(value) < DEAD ? 0 : value);
    const trigger = (index: number): number => dead(pad.buttons[index]?.value ?? 0);
    const [left, pedals] = [-dead(pad.axes[0] ?? 0), trigger(7) - trigger(6)];
    const forward = pedals !== 0 ? pedals : -dead(pad.axes[1] ?? 0);
    const brake = pad.buttons[0]?.pressed ?? false;
    const isMoved = left !== 0 || forward !== 0 || brake;
    this.ignoresPad &&= isMoved;
    if (this.ignoresPad || (!isMoved && this.pad === undefined)) return;
    const isSame = this.pad?.[0] === forward && this.pad[1] === left && this.pad[2] === brake;
    this.pad = isMoved ? [forward, left, brake] : undefined;
    if (!isSame) this.apply();
  }
}
