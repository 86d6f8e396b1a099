"""Checks of the services of a run: simulation_interfaces, parameters, descriptions of types and robots."""

import csv
import math
import time
import xml.etree.ElementTree as ElementTree

import hashes
import numpy
from peer import joined
from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from simulator import HERE, ROOT, running

__all__ = [
    "test_entities",
    "test_modes_of_autoware",
    "test_node_parameters",
    "test_people_read_messages",
    "test_robot_description",
    "test_simulation_states",
    "test_spawning",
    "test_type_descriptions",
]

OK, NOT_FOUND, FAILED = 1, 2, 4
STOPPED, PLAYING, PAUSED = 0, 1, 2
DTYPES = {"byte": "uint8", "char": "uint8"}


class Client:
    """Calls services with requests from keywords. rosbags writes and reads them."""

    def __init__(self, peer):
        self.peer = peer
        self.store = get_typestore(Stores.EMPTY)
        types = {}
        for name, text in hashes.definitions():
            types.update(get_types_from_msg(text, name))
        self.store.register(types)
        with open(HERE / "hashes.csv", newline="") as file:
            self.hashes = {row["type"]: row["hash"] for row in csv.DictReader(file)}
        self.endpoints = {}

    def message(self, kind, values):
        """Builds a message; fields that are missing are 0 or empty, and orientations do not turn."""
        if kind.endswith("/Quaternion") and not values:
            values = {"w": 1.0}
        fields = self.store.fielddefs[kind][1]
        unknown = set(values) - {name for name, _ in fields}
        assert not unknown, f"{kind} has no {unknown}"
        built = {name: self.value(of, values.get(name)) for name, of in fields}
        if not fields:
            built = {"structure_needs_at_least_one_member": 0}
        return self.store.types[kind](**built)

    def value(self, described, value):
        node, rest = described
        if node == Nodetype.NAME:
            return self.message(rest, value or {})
        if node == Nodetype.BASE:
            default = {"string": "", "bool": False, "float64": 0.0, "float32": 0.0}.get(rest[0], 0)
            return default if value is None else value
        inner, count = rest
        values = value if value is not None else [None] * (count if node == Nodetype.ARRAY else 0)
        values = [self.value(inner, one) for one in values]
        if inner[0] == Nodetype.BASE and inner[1][0] != "string":
            return numpy.array(values, dtype=DTYPES.get(inner[1][0], inner[1][0]))
        return values

    def call(self, name, /, **request):
        if name not in self.endpoints:
            self.endpoints[name] = self.peer.await_endpoint(name, "SS")
        endpoint = self.endpoints[name]
        assert endpoint.hash == self.hashes[endpoint.type], endpoint
        kind = endpoint.type.replace("/srv/", "/srv/msg/")
        message = self.message(f"{kind}_Request", request)
        payload = bytes(self.store.serialize_cdr(message, f"{kind}_Request"))
        answer = self.peer.call(endpoint, payload, timeout=30.0)
        return self.store.deserialize_cdr(answer, f"{kind}_Response")

    def simulate(self, name, /, **request):
        """Calls a service of simulation_interfaces, and returns the code of its result and the response."""
        response = self.call(f"/simhost/{name}", **request)
        return response.result.result, response


def test_simulation_states():
    """A client pauses, makes exactly as many steps as it asks for, plays and stops."""
    with running() as run, joined(run) as peer:
        client = Client(peer)
        clock = peer.subscribe("/clock", "rosgraph_msgs/msg/Clock")
        clock.wait(5)
        features = client.call("/simhost/get_simulator_features").features
        assert {0, 1, 10, 11, 20, 24, 25, 26, 31, 32} <= set(features.features.tolist()), features
        state = lambda: client.simulate("get_simulation_state")[1].state.state
        assert state() == PLAYING
        code, _ = client.simulate("step_simulation", steps=1)
        assert code == FAILED, "steps need a pause"
        assert client.simulate("set_simulation_state", state={"state": PAUSED})[0] == OK
        assert client.simulate("set_simulation_state", state={"state": PAUSED})[0] == 101
        time.sleep(0.3)
        before = len(clock.all)
        assert client.simulate("step_simulation", steps=40)[0] == OK
        clock.wait(before + 40)
        time.sleep(0.3)
        assert len(clock.all) == before + 40, "one message of the clock per step"
        took = [0.0] * 20
        for index in range(20):
            start = time.monotonic()
            client.simulate("step_simulation", steps=1)
            took[index] = time.monotonic() - start
        print(f"   a step by service takes {sorted(took)[10] * 1e3:.2f} ms at the median")
        assert client.call("/simhost/set_paused", data=False).success
        assert state() == PLAYING
        assert client.simulate("set_simulation_state", state={"state": STOPPED})[0] == OK
        assert state() == STOPPED
        assert client.simulate("get_entity_state", entity="amr")[1].state.header.stamp.sec == 0
        assert client.simulate("reset_simulation", scope=1)[0] == 0, "time alone is not supported"
        assert client.simulate("reset_simulation")[0] == OK
        world = client.simulate("get_current_world")[1].world
        assert world.name == "robot" and world.world_resource.uri.endswith("robot.world.xml")
        assert client.simulate("set_simulation_state", state={"state": 3})[0] == OK
        assert run.process.wait(timeout=30) == 0
        assert [one["input"] for one in run.inputs()].count("step") == 21
        run.rerun()


def test_entities():
    """Entities are listed, moved, and have the state that they were given."""
    with running() as run, joined(run) as peer:
        client = Client(peer)
        names = client.simulate("get_entities")[1].entities
        assert names == ["amr", "block/crate"], names
        only = client.simulate("get_entities", filters={"filter": "^block/c"})[1].entities
        assert only == ["block/crate"], only
        client.call("/simhost/pause")
        pose = {"position": {"x": -6.0, "y": 1.0}, "orientation": {"z": 1.0, "w": 0.0}}
        twist = {"linear": {"x": -0.5}}
        code, _ = client.simulate(
            "set_entity_state", entity="amr", state={"pose": pose, "twist": twist},
            set_pose=True, set_twist=True,
        )
        assert code == OK
        code, response = client.simulate("get_entity_state", entity="amr")
        state = response.state
        assert code == OK and math.isclose(state.pose.position.x, -6.0), state
        assert math.isclose(abs(state.pose.orientation.z), 1.0, abs_tol=1e-9), state
        assert math.isclose(state.twist.linear.x, -0.5, abs_tol=1e-9), state
        truth = peer.subscribe("/base_pose_ground_truth", "nav_msgs/msg/Odometry")
        client.simulate("step_simulation", steps=200)
        assert truth.wait(1)[-1].pose.pose.position.x < -6.0
        states = client.simulate("get_entities_states")[1]
        assert len(states.states) == 2 and states.states[1].pose.position.x == 2.0
        info = client.simulate("get_entity_info", entity="amr")[1].info
        assert info.category.category == 1 and "simhost/differential" in info.tags
        assert client.simulate("get_entity_state", entity="rma")[0] == NOT_FOUND
        unreal = {"pose": {"orientation": {"w": 2.0}}}
        assert client.simulate("set_entity_state", entity="amr", state=unreal, set_pose=True)[0] == 101


def test_spawning():
    """Entities of a text appear with their topics, and are deleted."""
    block = "<block name='wall'><static>true</static><zmax>1</zmax><shape><pt>0 0</pt><pt>1 0</pt><pt>1 1</pt></shape></block>"
    with running() as run, joined(run) as peer:
        client = Client(peer)
        spawn = lambda **request: client.simulate("spawn_entity", **request)
        pose = {"pose": {"position": {"x": 3.0, "y": 1.0}}}
        code, response = spawn(entity_resource={"resource_string": block}, initial_pose=pose)
        assert (code, response.entity_name) == (OK, "block/wall"), response
        position = client.simulate("get_entity_state", entity="block/wall")[1].state.pose.position
        assert (position.x, position.y) == (3.0, 1.0)
        assert spawn(entity_resource={"resource_string": block})[0] == 101, "the name is taken"
        code, response = spawn(
            entity_resource={"resource_string": block}, allow_renaming=True, initial_pose=pose
        )
        assert (code, response.entity_name) == (OK, "block/wall_2"), response
        assert spawn(name="x", entity_resource={"uri": "package://x.sdf"})[0] == 103
        assert spawn(name="x", entity_resource={"uri": "vehicle:unknown"})[0] == 106
        assert spawn(name="x")[0] == 104
        assert client.simulate("delete_entity", entity="block/wall")[0] == OK
        assert client.simulate("delete_entity", entity="block/wall")[0] == NOT_FOUND
        assert client.simulate("reset_simulation", scope=4)[0] == OK
        assert client.simulate("get_entities")[1].entities == ["amr", "block/crate"]
        assert client.simulate("get_spawnables")[0] == OK
        run.stop()
        run.rerun()


def test_node_parameters():
    """Parameters of models are read, described and set, and events tell of it."""
    name = "amr.controller.KD"
    with running() as run, joined(run) as peer:
        client = Client(peer)
        events = peer.subscribe("/parameter_events", "rcl_interfaces/msg/ParameterEvent")
        call = lambda what, **request: client.call(f"/simhost/{what}", **request)
        names = call("list_parameters").result.names
        assert name in names and "use_sim_time" in names, names
        value = call("get_parameters", names=[name]).values[0]
        assert (value.type, value.double_value) == (3, 0.0), value
        described = call("describe_parameters", names=[name]).descriptors[0]
        assert described.type == 3 and len(described.floating_point_range) == 1, described
        assert call("get_parameter_types", names=[name, "none"]).types.tolist() == [3, 0]
        time.sleep(0.5)
        set_to = lambda value: call(
            "set_parameters", parameters=[{"name": name, "value": {"type": 3, "double_value": value}}]
        ).results[0]
        assert set_to(0.25).successful
        assert call("get_parameters", names=[name]).values[0].double_value == 0.25
        event = events.wait(1)[0]
        assert event.node == "/simhost" and event.changed_parameters[0].name == name, event
        refused = set_to(-1.0)
        assert not refused.successful and "KD" in refused.reason, refused
        assert call("get_parameters", names=[name]).values[0].double_value == 0.25
        run.stop()
        assert any(one.get("value") == "0.25" for one in run.inputs()), run.inputs()


def test_type_descriptions():
    """Descriptions of types have the fields that rosbags knows."""
    with running() as run, joined(run) as peer:
        client = Client(peer)
        kind = "nav_msgs/msg/Odometry"
        asked = {"type_name": kind, "type_hash": client.hashes[kind], "include_type_sources": True}
        response = client.call("/simhost/get_type_description", **asked)
        assert response.successful, response.failure_reason
        described = response.type_description.type_description
        names = [field.name for field in described.fields]
        assert names == [name for name, _ in peer.store.fielddefs[kind][1]], names
        assert len(response.type_sources) == 1 + len(
            response.type_description.referenced_type_descriptions
        )
        unknown = client.call("/simhost/get_type_description", type_name="a/msg/B")
        assert not unknown.successful and unknown.failure_reason


def test_modes_of_autoware():
    """A vehicle with the planning interface changes its mode on request, and keeps it after one that it refuses."""
    kind = "autoware_vehicle_msgs/msg/ControlModeReport"
    with running(world=ROOT / "worlds/autoware.world.xml") as run, joined(run) as peer:
        client = Client(peer)
        report = "/output/control_mode_report"
        reports = peer.subscribe(report, kind, type_hash=client.hashes[kind], raw=True)
        reports.wait(2)
        request = lambda mode: client.call("/input/control_mode_request", mode=mode).success
        assert request(4) and not request(2), "MANUAL, and AUTONOMOUS_STEER_ONLY"
        reports.wait(len(reports.all) + 20)
        assert reports.all[-1][0][-1] == 4, "MANUAL"
        assert request(1)
        reports.wait(len(reports.all) + 20)
        assert reports.all[-1][0][-1] == 1, "AUTONOMOUS"


def test_robot_description():
    """A late subscriber receives the robot in URDF, whose tree has the frames of tf."""
    with running() as run, joined(run) as peer:
        tf = peer.subscribe("/tf", "tf2_msgs/msg/TFMessage")
        tf.wait(5)
        text = peer.subscribe("/robot_description", "std_msgs/msg/String", True).wait(1)[0].data
        robot = ElementTree.fromstring(text)
        links = {link.get("name") for link in robot.iter("link")}
        children = [joint.find("child").get("link") for joint in robot.iter("joint")]
        assert len(links) == len(children) + 1 and set(children) < links, text
        assert (links - set(children)) == {"base_link"}, links
        frames = {one.child_frame_id for message in tf.all for one in message[0].transforms}
        assert {frame for frame in frames if frame.startswith("wheel/")} <= links, frames
        assert "scan" in links and "front" in links, links
        joints = peer.subscribe("/joint_states", "sensor_msgs/msg/JointState").wait(1)[0].name
        own = {joint.get("name") for joint in robot.iter("joint")}
        assert {name for name in joints if name.endswith("/spin")} <= own, (joints, own)


def test_people_read_messages():
    """Warnings of the run are messages of /rosout, also for late subscribers."""
    with running() as run, joined(run) as peer:
        peer.await_endpoint("/rosout")
        wrong = peer.publisher("/cmd_vel", "geometry_msgs/msg/TwistStamped")
        run.await_line("TwistStamped")
        messages = peer.subscribe("/rosout", "rcl_interfaces/msg/Log", True)
        message = messages.wait(1)[-1]
        assert message.level == 30 and "TwistStamped" in message.msg, message
        assert message.name == "simhost" and message.stamp.sec > 1_500_000_000
        del wrong
