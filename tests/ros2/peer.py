"""A ROS 2 node without ROS: zenoh carries the bytes, rosbags reads and writes them and computes the hashes.

Nothing here comes from simhost, so what both agree on is what ROS 2 nodes with rmw_zenoh_cpp agree on.
"""

import contextlib
import dataclasses
import json
import struct
import threading
import time

import zenoh
import zenoh.ext
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

DEFAULT_QOS = "::,10:,:,:,,"
LATCHED_QOS = ":1:,1:,:,:,,"


@dataclasses.dataclass
class Endpoint:
    """A liveliness token of an endpoint."""

    token: str
    session: str
    kind: str
    node: str
    topic: str
    type: str
    hash: str
    qos: str


def parse(token):
    """Reads a token; None for one of a node."""
    parts = token.split("/")
    assert parts[0] == "@ros2_lv", token
    plain = [part.replace("%", "/") for part in parts]
    assert parts[6] == "%", f"enclave of {token}"
    node = plain[7].rstrip("/") + "/" + plain[8]
    if parts[5] == "NN":
        assert len(parts) == 9, token
        return None
    assert len(parts) == 13, token
    package, name = parts[10].removesuffix("_").split("::dds_::")
    kind = package.replace("::", "/") + "/" + name
    assert len(parts[12].split(":")) == 6, token
    return Endpoint(token, parts[2], parts[5], node, plain[9], kind, parts[11], parts[12])


class Received:
    """Messages of a subscription, with the attachments and the times of arrival."""

    def __init__(self):
        self.all = []
        self.changed = threading.Condition()

    def add(self, message, attachment):
        with self.changed:
            self.all.append((message, attachment, time.time_ns()))
            self.changed.notify_all()

    def wait(self, count=1, timeout=10.0):
        """Waits for a number of messages, and returns them without attachments."""
        with self.changed:
            enough = self.changed.wait_for(lambda: len(self.all) >= count, timeout)
            assert enough, f"{len(self.all)} of {count} messages"
            return [message for message, _, _ in self.all]


class Peer:
    """A node with publishers, subscribers and clients."""

    def __init__(self, address, domain=0, name="peer", definitions=()):
        config = zenoh.Config()
        for key, value in {
            "mode": "peer",
            "connect/endpoints": [address],
            "listen/endpoints": ["tcp/localhost:0"],
            "scouting/multicast/enabled": False,
            "timestamping/enabled": True,
        }.items():
            config.insert_json5(key, json.dumps(value))
        self.session = zenoh.open(config)
        self.domain, self.name, self.number = domain, name, 0
        self.store = get_typestore(Stores.ROS2_JAZZY)
        for type_name, text in definitions:
            known = get_types_from_msg(text, type_name)
            self.store.register({k: v for k, v in known.items() if k not in self.store.types})
        self.kept = [self.session.liveliness().declare_token(self._start(0, "NN"))]

    def close(self):
        self.session.close()

    def _start(self, number, kind):
        session = self.session.zid()
        return f"@ros2_lv/{self.domain}/{session}/0/{number}/{kind}/%/%/{self.name}"

    def _declare(self, kind, topic, type_name, type_hash, qos):
        self.number += 1
        package, name = type_name.rsplit("/", 1)
        wire = f"{package.replace('/', '::')}::dds_::{name}_"
        mangled = topic.replace("/", "%")
        token = f"{self._start(self.number, kind)}/{mangled}/{wire}/{type_hash}/{qos}"
        self.kept.append(self.session.liveliness().declare_token(token))
        return f"{self.domain}/{topic.strip('/')}/{wire}/{type_hash}"

    def hash(self, type_name):
        return self.store.hash_rihs01(type_name)

    def endpoints(self):
        """Returns the endpoints of other nodes."""
        found = []
        for reply in self.session.liveliness().get(f"@ros2_lv/{self.domain}/**", timeout=5.0):
            endpoint = parse(str(reply.ok.key_expr))
            if endpoint and endpoint.session != str(self.session.zid()):
                found.append(endpoint)
        return found

    def await_endpoint(self, topic, kind="MP", timeout=10.0):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            for one in self.endpoints():
                if one.topic == topic and one.kind == kind:
                    return one
            time.sleep(0.1)
        raise AssertionError(f"no endpoint {kind} of {topic}")

    def decode(self, payload, type_name):
        return self.store.deserialize_cdr(payload, type_name)

    def subscribe(self, topic, type_name, is_latched=False, type_hash=None, after=None, raw=False):
        """Collects the messages of a topic; each waits for the event `after`, if there is one."""
        received = Received()
        qos = LATCHED_QOS if is_latched else DEFAULT_QOS
        type_hash = type_hash or self.hash(type_name)

        def take(sample):
            if after:
                after.wait()
            payload = bytes(sample.payload)
            attachment = bytes(sample.attachment) if sample.attachment else None
            received.add(payload if raw else self.decode(payload, type_name), attachment)

        key = self._declare("MS", topic, type_name, type_hash, qos)
        if is_latched:
            history = zenoh.ext.HistoryConfig(detect_late_publishers=True)
            subscriber = zenoh.ext.declare_advanced_subscriber(
                self.session, key, take, history=history
            )
        else:
            subscriber = self.session.declare_subscriber(key, take)
        self.kept.append(subscriber)
        return received

    def publisher(self, topic, type_name, type_hash=None, has_attachment=True):
        """Returns a function that publishes a message, or bytes."""
        key = self._declare("MP", topic, type_name, type_hash or self.hash(type_name), DEFAULT_QOS)
        publisher = self.session.declare_publisher(key)
        self.kept.append(publisher)
        sequence = [0]

        def publish(message):
            sequence[0] += 1
            is_raw = isinstance(message, bytes)
            payload = message if is_raw else self.store.serialize_cdr(message, type_name)
            options = {"attachment": attach(sequence[0])} if has_attachment else {}
            publisher.put(bytes(payload), **options)

        return publish

    def call(self, endpoint, request, timeout=5.0):
        """Calls a service with a request in CDR, and returns the response."""
        package, name = endpoint.type.rsplit("/", 1)
        wire = f"{package.replace('/', '::')}::dds_::{name}_"
        key = f"{self.domain}/{endpoint.topic.strip('/')}/{wire}/{endpoint.hash}"
        self.number += 1
        attachment = attach(self.number)
        replies = self.session.get(
            key, payload=request, attachment=attachment, timeout=timeout
        )
        for reply in replies:
            assert reply.ok is not None, f"{endpoint.topic}: {reply.err}"
            own = bytes(reply.ok.attachment)
            assert own[:8] == attachment[:8] and own[16:] == attachment[16:], "attachment of the reply"
            return bytes(reply.ok.payload)
        raise AssertionError(f"{endpoint.topic} does not answer")


def attach(sequence):
    return struct.pack("<qqB16s", sequence, time.time_ns(), 16, b"p" * 16)


@contextlib.contextmanager
def joined(run, **settings):
    """A peer of a run."""
    peer = Peer(run.address, **settings)
    try:
        yield peer
    finally:
        peer.close()
