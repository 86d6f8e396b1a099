// The elements, attributes and classes of world files, as `simhost schema --json` lists them.

export interface Entry {
  readonly name: string;
  readonly form: "attribute" | "tag" | "either";
  readonly type: string;
  readonly doc: string;
  readonly unit?: string;
  readonly min?: number;
  readonly max?: number;
  readonly default?: string;
  readonly required?: boolean;
  readonly values?: readonly string[];
  /** Sections that describe the contents of the element. */
  readonly sections?: readonly string[];
  /** Entries of a group. */
  readonly parts?: readonly Entry[];
}

interface Section {
  readonly id: string;
  readonly tag: string;
  readonly doc: string;
  /** Kind of the models whose parameters the element has, too. */
  readonly model?: string;
  readonly entries: readonly Entry[];
}

interface Model {
  readonly kind: string;
  readonly class: string;
  readonly full_name: string;
  readonly doc: string;
  readonly wheels?: readonly string[];
  readonly entries: readonly Entry[];
}

export interface Schema { readonly sections: readonly Section[]; readonly models: readonly Model[] }

/** An element that contains a place of a text. */
export interface OpenElement { readonly tag: string; readonly class?: string }

/** A completion with its meaning. */
export interface Proposal { readonly text: string; readonly detail: string; readonly doc: string }

/** What an element can contain. */
interface Content { entries: readonly Entry[]; wheels: readonly string[]; classes: readonly Proposal[] }

const TRANSPARENT = new Set(["for", "if", "include"]);
const NOTHING: Content = { entries: [], wheels: [], classes: [] };

/** Looks up what may appear at a place in a world file. */
export class Vocabulary {
  private readonly sections: ReadonlyMap<string, Section>;

  constructor(private readonly schema: Schema) {
    this.sections = new Map(schema.sections.map((section) => [section.id, section]));
  }

  /** Returns the elements that can be children of the last of some open elements. */
  elements(path: readonly OpenElement[]): Proposal[] {
    if (path.length === 0) return [{ text: "mvsim_world", detail: "", doc: this.sections.get("mvsim_world")?.doc ?? "" }];
    const { entries, wheels } = this.contents(path);
    return [
      ...entries.filter(({ form }) => form !== "attribute").map(proposalOf),
      ...wheels.map((text) => ({ text, detail: "wheel", doc: this.sections.get("wheel")?.doc ?? "" })),
    ];
  }

  /** Returns the attributes of the last of some open elements. */
  attributes(path: readonly OpenElement[]): Proposal[] {
    return this.own(path).entries.filter(({ form }) => form !== "tag").map(proposalOf);
  }

  /** Returns the values of an attribute of the last of some open elements, or of its text. */
  values(path: readonly OpenElement[], attribute: string): Proposal[] {
    const { entries, classes } = this.own(path);
    if (attribute === "class" && classes.length > 0) return [...classes];
    return valuesOf(entries.find(({ name }) => name === attribute));
  }

  /** Returns the values that the last of some open elements can have as text. */
  texts(path: readonly OpenElement[]): Proposal[] {
    const last = path[path.length - 1];
    return valuesOf(this.contents(path.slice(0, -1)).entries.find(({ name }) => name === last?.tag));
  }

  /** Returns what an element has itself, also `for` and `if`. */
  private own(path: readonly OpenElement[]): Content {
    const last = path[path.length - 1];
    if (last !== undefined && TRANSPARENT.has(last.tag)) return this.ofSections([last.tag], last);
    return this.contents(path);
  }

  private contents(path: readonly OpenElement[]): Content {
    const last = path[path.length - 1];
    if (last === undefined) return NOTHING;
    const before = path.slice(0, -1);
    // what repeats, or depends on a condition, belongs to the element around it
    if (TRANSPARENT.has(last.tag)) return before.length === 0 ? this.ofSections(["mvsim_world"], last) : this.contents(before);
    if (before.length === 0) return this.ofSections(this.idsOf(last.tag), last);
    const around = this.contents(before);
    if (around.wheels.includes(last.tag)) return this.ofSections(["wheel"], last);
    const entry = around.entries.find(({ name, form }) => name === last.tag && form !== "attribute");
    if (entry === undefined) return NOTHING;
    if (entry.parts !== undefined) return { ...NOTHING, entries: entry.parts };
    return this.ofSections(entry.sections ?? [], last);
  }

  private idsOf(tag: string): string[] {
    return this.schema.sections.filter((section) => section.tag === tag).map(({ id }) => id);
  }

  private ofSections(ids: readonly string[], { class: name }: OpenElement): Content {
    const all = ids.flatMap((id) => this.sections.get(id) ?? []);
    // `<element class="skybox">` has a section for each class
    const classOf = ({ tag }: Section): string | undefined => /class="(.*)"/.exec(tag)?.[1];
    const own = all.filter((section) => classOf(section) === undefined || classOf(section) === name);
    const kinds = new Set(all.flatMap(({ model }) => model ?? []));
    const models = this.schema.models.filter(({ kind }) => kinds.has(kind));
    const model = models.find((one) => one.class === name || one.full_name === name);
    const isUnchosen = own.length === 0;
    return {
      entries: [...(isUnchosen ? all.slice(0, 1).flatMap(({ entries }) => entries.filter((entry) => entry.name === "class")) : own.flatMap(({ entries }) => entries)), ...(model?.entries ?? [])],
      wheels: model?.wheels ?? [],
      classes: [
        ...models.map((one) => ({ text: one.class, detail: one.kind, doc: one.doc })),
        ...all.flatMap((section) => ({ text: classOf(section) ?? "", detail: "", doc: section.doc })).filter(({ text }) => text !== ""),
      ],
    };
  }
}

function proposalOf(entry: Entry): Proposal {
  const { name, type, unit, min, max, required } = entry;
  const range = min === undefined && max === undefined ? "" : ` Range: ${min ?? "−∞"} to ${max ?? "∞"}.`;
  const fallback = entry.default === undefined ? "" : ` Default: ${entry.default}.`;
  return {
    text: name, detail: unit === undefined || unit === "1" ? (type === "tag" ? "" : type) : unit,
    doc: `${entry.doc}${range}${fallback}${required === true ? " Required." : ""}`,
  };
}

function valuesOf(entry: Entry | undefined): Proposal[] {
  if (entry === undefined) return [];
  const values = entry.type === "boolean" ? ["true", "false"] : entry.values ?? [];
  return values.map((text) => ({ text, detail: "", doc: entry.default === text ? "The default." : "" }));
}
