// Elements of the page.

type Child = Node | string | undefined;
type Properties = { [name: string]: string | number | boolean | EventListener | undefined };

/** Creates an element: properties that are functions are listeners, others attributes. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Properties = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Returns whether a key is text for a field or an editor. */
export function isTyping(event: KeyboardEvent): boolean {
  // within an editor with a tree of its own, the target of the event is the whole editor
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || target.isContentEditable);
}

/** Creates a button with a title, which a screen reader reads. */
export function button(text: string, title: string, onClick: () => void, kind = ""): HTMLButtonElement {
  return el("button", { type: "button", title, "aria-label": title, class: kind, click: () => onClick() }, text);
}

/** Returns a number as text with few digits. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e6)) return value.toExponential(2);
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3).replace("-", "−");
}

/** Offers a file for download. */
export function download(name: string, content: Blob): void {
  const link = el("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
