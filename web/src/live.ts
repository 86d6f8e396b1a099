// A live server of the Foxglove WebSocket protocol.

import type { Message } from "./cdr";
import type { Channel, Control, Listener, Parameter, Source } from "./source";
import type { Closing, Transport } from "./transport";

/** Time between two attempts to connect, ms. */
const RETRY = 1000;
/** Time that a call of a service may take, ms. */
const CALL = 20_000;

interface Service { readonly id: number; readonly name: string }
interface Waiting { resolve(message: Message): void; reject(error: Error): void }

/** The messages of a server that are texts. */
type ServerText =
  | { op: "serverInfo"; name: string; capabilities?: string[]; sessionId?: string; metadata?: Record<string, string> }
  | { op: "status"; level: number; message: string }
  | { op: "advertise"; channels: (Channel & { schemaEncoding?: string })[] }
  | { op: "unadvertise"; channelIds: number[] }
  | { op: "advertiseServices"; services: Service[] }
  | { op: "unadvertiseServices"; serviceIds: number[] }
  | { op: "parameterValues"; parameters: Parameter[] }
  | { op: "serviceCallFailure"; callId: number; message: string };

/** A live server, to which the page connects again when it is lost. */
export class LiveSource implements Source, Control {
  readonly tape = undefined;
  readonly control: Control = this;
  name = "";
  private transport: Transport | undefined;
  private listener: Listener | undefined;
  private readonly channels = new Map<number, Channel>();
  private readonly services = new Map<string, Service>();
  private readonly subscribed = new Map<number, Channel>();
  private readonly subscriptions = new Map<string, number>();
  private readonly advertised = new Map<string, number>();
  private readonly calls = new Map<number, Waiting>();
  private readonly assets = new Map<number, { resolve(content: ArrayBuffer): void; reject(error: Error): void }>();
  private capabilities: readonly string[] = [];
  private session = "";
  private next = 1;
  private isRefused = false;

  /** Connects by a function, which is called again when the connection is lost. */
  constructor(private readonly begin: () => Transport) {
    // while the rest of the page is prepared
    this.connect();
  }

  open(listener: Listener): void {
    this.listener = listener;
    this.reportConnecting();
  }

  close(): void {
    this.isRefused = true;
    this.transport?.close();
  }

  /** Connects anew, also when the server has refused the page or the run has failed. */
  reconnect(): void {
    const old = this.transport;
    if (old !== undefined) old.onmessage = old.onclose = () => {};
    old?.close();
    this.forget();
    this.isRefused = false;
    this.connect();
  }

  private reportConnecting(): void {
    this.listener?.state({ name: "connecting", text: `connecting to ${this.transport?.address ?? ""}` });
  }

  private connect(): void {
    const transport = this.transport = this.begin();
    this.reportConnecting();
    transport.onmessage = (frame) => {
      try {
        if (typeof frame === "string") this.text(JSON.parse(frame) as ServerText);
        else this.binary(new DataView(frame));
      } catch (error) {
        this.listener?.status("error", `a message of the server cannot be read: ${String(error)}`);
      }
    };
    transport.onclose = (closing) => this.lose(closing);
  }

  private lose({ text, isOver, canRetry }: Closing): void {
    this.forget();
    this.isRefused ||= !canRetry;
    const name = isOver ? "ended" : "lost";
    if (this.isRefused) {
      this.listener?.state({ name, text, again: () => this.reconnect() });
      return;
    }
    this.listener?.state({ name, text: `${text}; trying again…` });
    const { transport } = this;
    setTimeout(() => { if (this.transport === transport) this.connect(); }, RETRY);
  }

  private forget(): void {
    this.channels.clear();
    this.services.clear();
    this.subscribed.clear();
    this.subscriptions.clear();
    this.advertised.clear();
    for (const waiting of [this.calls, this.assets]) {
      for (const one of waiting.values()) one.reject(new Error("the connection was lost"));
      waiting.clear();
    }
    this.listener?.channels([]);
  }

  private text(message: ServerText): void {
    switch (message.op) {
      case "serverInfo": {
        const isNew = this.session !== "" && message.sessionId !== this.session;
        this.session = message.sessionId ?? "";
        this.name = message.name;
        this.capabilities = message.capabilities ?? [];
        if (isNew) this.listener?.rewound();
        this.listener?.state({ name: "open", text: message.name });
        break;
      }
      case "status":
        this.listener?.status(message.level === 2 ? "error" : message.level === 1 ? "warning" : "info", message.message);
        break;
      case "advertise":
        for (const channel of message.channels) this.channels.set(channel.id, channel);
        // what is new may have parameters
        if (this.capabilities.includes("parameters")) {
          this.send({ op: "getParameters", parameterNames: [], id: "all" });
          this.send({ op: "subscribeParameterUpdates", parameterNames: [] });
        }
        this.listener?.channels([...this.channels.values()]);
        break;
      case "unadvertise":
        for (const id of message.channelIds) {
          const topic = this.channels.get(id)?.topic;
          this.channels.delete(id);
          const subscription = topic === undefined ? undefined : this.subscriptions.get(topic);
          if (topic !== undefined && subscription !== undefined && this.subscribed.get(subscription)?.id === id) {
            this.subscribed.delete(subscription);
            this.subscriptions.delete(topic);
          }
        }
        this.listener?.channels([...this.channels.values()]);
        break;
      case "advertiseServices":
        for (const service of message.services) this.services.set(service.name, service);
        this.listener?.services();
        break;
      case "unadvertiseServices":
        for (const [name, { id }] of this.services) if (message.serviceIds.includes(id)) this.services.delete(name);
        break;
      case "parameterValues":
        this.listener?.parameters(message.parameters);
        break;
      case "serviceCallFailure":
        this.calls.get(message.callId)?.reject(new Error(message.message));
        this.calls.delete(message.callId);
        break;
    }
  }

  private binary(view: DataView): void {
    switch (view.getUint8(0)) {
      case 1: {
        const channel = this.subscribed.get(view.getUint32(1, true));
        if (channel === undefined) break;
        const time = Number(view.getBigUint64(5, true)) / 1e9;
        this.listener?.sample(channel, time, new DataView(view.buffer, view.byteOffset + 13));
        break;
      }
      case 2:
        this.listener?.time(Number(view.getBigUint64(1, true)) / 1e9);
        break;
      case 3: {
        const id = view.getUint32(5, true);
        const start = 13 + view.getUint32(9, true);
        const text = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + start));
        this.calls.get(id)?.resolve(JSON.parse(text) as Message);
        this.calls.delete(id);
        break;
      }
      case 4: {
        const id = view.getUint32(1, true);
        const start = view.byteOffset + 10;
        const end = start + view.getUint32(6, true);
        const reason = new TextDecoder().decode(new Uint8Array(view.buffer, start, end - start));
        if (view.getUint8(5) === 0) this.assets.get(id)?.resolve((view.buffer as ArrayBuffer).slice(end));
        else this.assets.get(id)?.reject(new Error(reason));
        this.assets.delete(id);
        break;
      }
    }
  }

  subscribe(channel: Channel): void {
    if (this.subscriptions.has(channel.topic) || !this.channels.has(channel.id)) return;
    const id = this.next++;
    this.subscribed.set(id, channel);
    this.subscriptions.set(channel.topic, id);
    this.send({ op: "subscribe", subscriptions: [{ id, channelId: channel.id }] });
  }

  unsubscribe(channel: Channel): void {
    const id = this.subscriptions.get(channel.topic);
    if (id === undefined) return;
    this.subscriptions.delete(channel.topic);
    this.subscribed.delete(id);
    this.send({ op: "unsubscribe", subscriptionIds: [id] });
  }

  offers(service: string): boolean {
    return this.services.has(service);
  }

  call(name: string, request: object): Promise<Message> {
    const service = this.services.get(name);
    if (service === undefined) return Promise.reject(new Error(`the server has no service ${name}`));
    const id = this.next++;
    const payload = new TextEncoder().encode(JSON.stringify(request));
    const bytes = new Uint8Array(17 + payload.length);
    const view = new DataView(bytes.buffer);
    view.setUint8(0, 2);
    view.setUint32(1, service.id, true);
    view.setUint32(5, id, true);
    view.setUint32(9, 4, true);
    bytes.set(new TextEncoder().encode("json"), 13);
    bytes.set(payload, 17);
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      setTimeout(() => {
        if (this.calls.delete(id)) reject(new Error(`${name} did not answer`));
      }, CALL);
      this.transport?.send(bytes);
    });
  }

  publish(topic: string, schemaName: string, message: object): void {
    if (this.transport?.isOpen !== true) return;
    let id = this.advertised.get(topic);
    if (id === undefined) {
      id = this.next++;
      this.advertised.set(topic, id);
      this.send({ op: "advertise", channels: [{ id, topic, encoding: "json", schemaName }] });
    }
    const payload = new TextEncoder().encode(JSON.stringify(message));
    const bytes = new Uint8Array(5 + payload.length);
    bytes[0] = 1;
    new DataView(bytes.buffer).setUint32(1, id, true);
    bytes.set(payload, 5);
    this.transport.send(bytes);
  }

  setParameter(name: string, value: unknown): void {
    this.send({ op: "setParameters", parameters: [{ name, value }], id: "set" });
  }

  asset(name: string): Promise<ArrayBuffer> {
    if (this.transport?.asset !== undefined) return this.transport.asset(name);
    const requestId = this.next++;
    return new Promise((resolve, reject) => {
      this.assets.set(requestId, { resolve, reject });
      this.send({ op: "fetchAsset", uri: `asset:${name}`, requestId });
    });
  }

  async describe(): Promise<object | undefined> {
    if (!this.offers("/simhost/describe")) return undefined;
    const reply = await this.call("/simhost/describe", {});
    return JSON.parse(String(reply["message"])) as object;
  }

  private send(message: object): void {
    if (this.transport?.isOpen === true) this.transport.send(JSON.stringify(message));
  }
}
