"""Reads and writes each message of messages.csv with rosbags, which has to give the same bytes.

    python tests/ros2/messages.py

Needs rosbags==0.11.9. The table has a message of each type of streams; `UPDATE_EXPECT=1 cargo test -p simhost-streams
bytes_of_the_table` renews it.
"""

import csv
import sys

from hashes import HERE, definitions
from rosbags.typesys import Stores, get_types_from_msg, get_typestore


def main():
    store = get_typestore(Stores.ROS2_JAZZY)
    for name, text in definitions():
        if "/msg/" in name and name not in store.fielddefs:
            parsed = get_types_from_msg(text, name)
            store.register({one: parsed[one] for one in parsed if one not in store.fielddefs})
    with (HERE / "messages.csv").open() as table:
        rows = list(csv.DictReader(table))
    for row in rows:
        name, given = row["message type"], bytes.fromhex(row["bytes"])
        written = bytes(store.serialize_cdr(store.deserialize_cdr(given, name), name))
        if written != given:
            sys.exit(f"{row['stream type']}: rosbags writes {written.hex()}; the table has {given.hex()}")
    print(f"{len(rows)} messages have the bytes of rosbags")


if __name__ == "__main__":
    main()
