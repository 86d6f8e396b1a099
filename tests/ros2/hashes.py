"""Computes the hashes of all types with rosbags, from its own definitions where it has the type.

    python tests/ros2/hashes.py           compares them with hashes.csv
    python tests/ros2/hashes.py --renew   writes hashes.csv

Needs rosbags==0.11.9. The definitions of services and of packages that rosbags does not know are those of
definitions.txt. Rows with the origin `published` have been compared with the hash that rosidl generated.
"""

import re
import sys
from pathlib import Path

from rosbags.typesys import Stores, get_types_from_msg, get_typestore

HERE = Path(__file__).parent
STORES = [Stores.ROS2_LYRICAL, Stores.ROS2_JAZZY]
# Hashes in code that rosidl has generated.
PUBLISHED = {
    "ackermann_msgs/msg/AckermannDriveStamped": "48ca7612a08d3bb72744fd98b71b7cf2ea24c6ad50fa4e1aa0bbad963c90d8cf",
    "geometry_msgs/msg/Twist": "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a",
    "service_msgs/msg/ServiceEventInfo": "41bcbbe07a75c9b52bc96bfd5c24d7f0fc0a08c0cb7921b3373c5732345a6f45",
    "simulation_interfaces/msg/SimulatorFeatures": "8b101c8529bc0ea3dcf056078254768f39832b9ef0adaf93bd5cea96c0de3305",
    "simulation_interfaces/msg/Spawnable": "8675aa686f0df1ed7874a6ec210fdce1ac1c07f4e49fc26ec7fb6fe729f6772e",
    "simulation_interfaces/srv/SpawnEntity": "66860313e11009faddbfc8568e5d410d1a11607fe75eeb1308671dc0406fe3a7",
    "simulation_interfaces/srv/GetCurrentWorld": "79ed4e910e1b7a1c9f7950ff758bfba3535bf0dec669054e8af115a099724ddd",
    "rcl_interfaces/srv/ListParameters": "3e6062bfbb27bfb8730d4cef2558221f51a11646d78e7bb30a1e83afac3aad9d",
    "type_description_interfaces/srv/GetTypeDescription": (
        "69b9c19c1021405984cc60dbbb1edceb147a6538b411d812ba6afabeed962cd5"
    ),
}


def definitions():
    """Returns the definitions by name; a service has those of its parts, and one that contains these."""
    for entry in (HERE / "definitions.txt").read_text().split("=" * 80 + "\n")[1:]:
        name, text = entry.split("\n", 1)
        if "/srv/" not in name:
            yield name, text
            continue
        # rosbags looks types without a package up in the folder of the service
        package = name.split("/")[0]
        text = re.sub(r"(?m)^(?=[A-Z]\w*[ \[])", f"{package}/msg/", text)
        request, response = text.split("---\n")
        yield f"{name}_Request", request
        yield f"{name}_Response", response
        yield (
            f"{name}_Event",
            f"service_msgs/msg/ServiceEventInfo info\n{name}_Request[<=1] request\n{name}_Response[<=1] response\n",
        )
        yield (
            name,
            f"{name}_Request request_message\n{name}_Response response_message\n{name}_Event event_message\n",
        )


def renamed(definition):
    """Returns a parsed definition as rosidl has it: without the `msg/` that rosbags puts into names of services, and with
    `uint8` for `char`."""
    if isinstance(definition, str):
        return "uint8" if definition == "char" else definition.replace("/srv/msg/", "/srv/")
    if isinstance(definition, (list, tuple)):
        return type(definition)(renamed(part) for part in definition)
    return definition


def main():
    stores = [get_typestore(store) for store in STORES]
    own = get_typestore(Stores.EMPTY)
    types = {}
    for name, text in definitions():
        parsed = get_types_from_msg(text, name)
        types.update({renamed(name): renamed(parsed[name]) for name in parsed})
    # the stores of rosbags decide about the types that they have
    for store in reversed(stores):
        types.update({name: renamed(store.fielddefs[name]) for name in store.fielddefs if name in types})
    own.fielddefs.update(types)
    rows = ["type,hash,origin"]
    for name in sorted(types):
        if name.rsplit("_", 1)[-1] in ("Request", "Response", "Event"):
            continue
        digest = own.hash_rihs01(name)
        origin = "rosbags" if any(name in store.fielddefs for store in stores) else "definition"
        if name in PUBLISHED:
            origin = "published"
            assert digest == f"RIHS01_{PUBLISHED[name]}", f"{name}: {digest}"
        rows.append(f"{name},{digest},{origin}")
    text = "\n".join(rows) + "\n"
    table = HERE / "hashes.csv"
    if "--renew" in sys.argv:
        table.write_text(text)
    elif table.read_text() != text:
        sys.exit("hashes.csv differs from the hashes of rosbags; renew it with --renew")


if __name__ == "__main__":
    main()
