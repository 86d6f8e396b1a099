"""Functions of a program without symbols, and the calls between them that callgrind has counted.

The tables with which the stack is unwound hold the first and the last address of each function, also in a
program that has been stripped. Callgrind writes addresses of instructions relative to the file.
"""

import bisect
import collections
import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

# arithmetic on vectors of 256 or 512 bits, and arithmetic compiled without AVX
VECTOR = re.compile(r"\bv(add|sub|mul|div|sqrt|min|max)p[sd]\b.*%[yz]mm")
SCALAR = re.compile(r"\b(add|sub|mul|div|sqrt|min|max)[sp][sd]\b")


@dataclass(frozen=True)
class Call:
    """A function that calls another one, by their first addresses, and how often it does."""

    caller: int
    callee: int
    count: int


@dataclass
class Profile:
    """Instructions, and calls by the address of the instruction and that of the function that is called."""

    instructions: int
    calls: collections.Counter

    @staticmethod
    def read(file, program):
        """Reads a file of callgrind, for the calls within a program."""
        names, calls, total = {}, collections.Counter(), 0
        program, here, there, called = str(Path(program).resolve()), "", "", None

        def name(text):
            number, _, rest = text.partition(" ")
            if rest:
                names[number] = rest
            return names[number]

        address = 0
        for line in Path(file).read_text().splitlines():
            key, _, value = line.partition("=")
            if key == "ob":
                here = name(value)
            elif key == "cob":
                there = name(value)
            elif key == "fn":
                there = ""
            elif key == "calls":
                count, target, *_ = value.split()
                called = (int(count), target, there or here)
                there = ""
            elif line.startswith("totals: "):
                total = int(line.split()[1])
            elif found := re.match(r"(0x[0-9a-f]+|[+-]\d+|\*) ", line):
                address = position(found[1], address)
                if called:
                    count, target, object_ = called
                    if here == object_ == program:
                        calls[address, position(target, address)] += count
                    called = None
        return Profile(total, calls)

    def minus(self, other):
        """Returns what another run has not executed."""
        return Profile(self.instructions - other.instructions, self.calls - other.calls)


def position(text, last):
    """Returns an address, which can be relative to the last one."""
    if text == "*":
        return last
    return last + int(text) if text[0] in "+-" else int(text, 16)


class MachineCode:
    """The functions of a program."""

    def __init__(self, program):
        self.program = program
        frames = output("readelf", "--debug-dump=frames", program)
        ranges = re.findall(r"FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)", frames)
        self.ranges = sorted((int(start, 16), int(end, 16)) for start, end in ranges)
        self.kinds = {}

    def function(self, address):
        """Returns the first address of the function that has this address, or `None`."""
        at = bisect.bisect_right(self.ranges, (address, float("inf"))) - 1
        is_inside = at >= 0 and address < self.ranges[at][1]
        return self.ranges[at][0] if is_inside else None

    def kind(self, start):
        """Returns whether a function has arithmetic on vectors, scalar arithmetic, or none."""
        if start not in self.kinds:
            end = self.ranges[bisect.bisect_left(self.ranges, (start, 0))][1]
            limits = (f"--start-address={start}", f"--stop-address={end}")
            text = output("objdump", "--disassemble", "--no-show-raw-insn", *limits, self.program)
            found = [kind for kind in (VECTOR, SCALAR) if kind.search(text)]
            self.kinds[start] = found[0] if found else None
        return self.kinds[start]

    def scalar_calls(self, profile):
        """Returns the calls from vector code to scalar code, directly or through functions without arithmetic."""
        calls = collections.Counter()
        for (instruction, target), count in profile.calls.items():
            caller, callee = self.function(instruction), self.function(target)
            if caller is not None and callee is not None:
                calls[caller, callee] += count
        callees = collections.defaultdict(list)
        for caller, callee in calls:
            callees[caller].append(callee)
        found = collections.Counter()
        for (caller, callee), count in calls.items():
            if self.kind(caller) is not VECTOR:
                continue
            # calls of each function from those between
            seen, waiting, inner = set(), [callee], collections.Counter()
            while waiting:
                at = waiting.pop()
                if at in seen or self.kind(at) is VECTOR:
                    continue
                seen.add(at)
                if self.kind(at) is SCALAR:
                    found[caller, callee] = max(found[caller, callee], count, inner[at])
                else:
                    waiting += callees[at]
                    for below in callees[at]:
                        inner[below] = max(inner[below], calls[at, below])
        return [Call(*ends, count) for ends, count in found.most_common()]

    def name(self, start):
        """Returns the name of a function, or its address in a program without symbols."""
        return self.names.get(start, hex(start))

    @cached_property
    def names(self):
        symbols = (line.split(maxsplit=2) for line in output("nm", "--demangle", self.program).splitlines())
        return {int(words[0], 16): words[2] for words in symbols if len(words) == 3}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
