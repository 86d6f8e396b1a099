// Parameters of models: their values, meaning and range.

import { el, shown } from "./dom";
import type { Control, Parameter } from "./source";
import type { ParameterInfo } from "./world";

/** Shows the parameters of a vehicle and changes them. */
export class Parameters {
  readonly element = el("div", { class: "panel-body" });
  private readonly list = el("div", {});
  private readonly values = new Map<string, unknown>();
  private readonly fields = new Map<string, HTMLInputElement | HTMLSelectElement>();
  private infos: Record<string, ParameterInfo> = {};
  private owner = "";
  private filter = "";
  private key = "";
  /** Called before a value is set, with the old one. */
  onChange: (name: string, before: unknown, after: unknown) => void = () => {};

  constructor(private readonly control: Control) {
    const search = el("input", {
      type: "search", placeholder: "Filter", "aria-label": "Filter the parameters",
      input: () => { this.filter = search.value.trim().toLowerCase(); this.build(); },
    });
    search.style.width = "100%";
    this.element.append(search, this.list);
  }

  describe(infos: Record<string, ParameterInfo>): void {
    this.infos = infos;
    this.build();
  }

  select(owner: string): void {
    if (owner === this.owner) return;
    this.owner = owner;
    this.build();
  }

  take(values: readonly Parameter[]): void {
    let isNew = false;
    for (const { name, value } of values) {
      isNew ||= !this.values.has(name);
      this.values.set(name, value);
      const field = this.fields.get(name);
      if (field !== undefined && field !== document.activeElement) this.show(field, value);
    }
    if (isNew) this.build();
  }

  /** Forgets all values, because the simulation is another one. */
  forget(): void {
    this.values.clear();
    this.build();
  }

  private show(field: HTMLInputElement | HTMLSelectElement, value: unknown): void {
    if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value === true;
    else field.value = Array.isArray(value) ? value.join(" ") : String(value);
  }

  private build(): void {
    const names = [...this.values.keys()].filter((name) =>
      !name.startsWith("simhost/") && (this.filter === "" ? name.startsWith(`${this.owner}/`) : name.toLowerCase().includes(this.filter)));
    const MOST = 200;
    const key = JSON.stringify([this.owner, this.filter, names.length, Object.keys(this.infos).length]);
    if (key === this.key) return;
    this.key = key;
    this.fields.clear();
    const parts: HTMLElement[] = [];
    let group = "";
    for (const name of names.slice(0, MOST)) {
      const at = name.lastIndexOf("/");
      const owner = this.filter === "" ? name.slice(this.owner.length + 1, at) : name.slice(0, at);
      if (owner !== group) {
        group = owner;
        parts.push(el("h2", {}, owner));
      }
      parts.push(this.row(name, name.slice(at + 1)));
    }
    if (names.length === 0) {
      parts.push(el("p", { class: "hint" }, this.owner === "" ? "Select a vehicle to see its parameters." : "There are no parameters."));
    }
    if (names.length > MOST) parts.push(el("p", { class: "hint" }, `${names.length - MOST} more; filter to find them.`));
    this.list.replaceChildren(...parts);
  }

  private row(name: string, key: string): HTMLElement {
    const info = this.infos[name];
    const value = this.values.get(name);
    const doc = el("div", { class: "doc" });
    const set = (to: unknown): void => {
      this.onChange(name, this.values.get(name), to);
      this.control.setParameter(name, to);
    };
    let field: HTMLInputElement | HTMLSelectElement;
    if (info !== undefined && info.choices.length > 0) {
      const select = el("select", { change: () => set(select.value) }, ...info.choices.map((one) => el("option", { value: one }, one)));
      field = select;
    } else if (typeof value === "boolean") {
      const check = el("input", { type: "checkbox", change: () => set(check.checked) });
      field = check;
    } else {
      const isNumber = typeof value === "number";
      const input = el("input", {
        type: isNumber ? "number" : "text", step: "any", min: info?.min ?? undefined, max: info?.max ?? undefined,
        change: () => {
          const number = Number(input.value);
          if (!isNumber) return set(input.value);
          if (input.value.trim() === "" || !Number.isFinite(number)) return this.show(input, this.values.get(name));
          set(number);
        },
        focus: () => { doc.textContent = this.text(info); },
      });
      field = input;
    }
    field.setAttribute("aria-label", name);
    this.show(field, value);
    this.fields.set(name, field);
    const unit = info === undefined || info.unit === "1" ? "" : info.unit;
    const label = el("label", {
      title: this.text(info), click: () => { doc.textContent = doc.textContent === "" ? this.text(info) : ""; },
    }, key);
    return el("div", { class: "parameter", "data-name": name }, label, field, el("span", { class: "unit" }, unit), doc);
  }

  private text(info: ParameterInfo | undefined): string {
    if (info === undefined) return "";
    const [low, high] = [info.min, info.max];
    const range = low !== null && high !== null ? ` From ${shown(low)} to ${shown(high)}.`
      : low !== null ? ` At least ${shown(low)}.` : high !== null ? ` At most ${shown(high)}.` : "";
    const usual = info.default === null ? "" : ` Default ${info.default}.`;
    return `${info.doc}${range}${usual}`;
  }
}
