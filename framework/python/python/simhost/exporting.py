"""Writes compiled models as a plugin: a shared library that the program without Python loads."""

from __future__ import annotations

import math
import os
import platform
import re
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from . import _core
from .errors import ModelError, OutputError
from .models import declaration_of

_KINDS = {"friction": 1, "controller": 3, "actuator": 5}
# versions of each function, the best one first, by what a processor has to have; none of them changes a bit of the results
_FEATURES = {"avx512": ("avx512f", "avx512vl", "avx512dq", "avx512bw", "avx512cd"), "avx2": ("avx2",), "baseline": ()}


def export_plugin(path: str | Path, *classes: type) -> Path:
    """Writes models as a plugin, with numba and a C compiler: `cc`, or the one that the environment variable CC names.

    The library is for all processors of this architecture, of x86-64 with versions for AVX2 and AVX-512, and needs neither
    Python nor numba. Results have the bits of
    `compile=True` where the methods use functions of numpy that round correctly: arithmetic, `sqrt`, `minimum` and the like.

    Args:
        path: The file, such as "rubber.so".
        classes: Classes with `simhost.model`, of one vendor, of the kinds that `compile=True` takes, without `prepare`.

    Returns:
        The path.

    Raises:
        ModelError: a class cannot be compiled, or the C compiler fails.
        OutputError: the folder of the file does not exist.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise OutputError(f"cannot write {path}: folder not found: {path.parent}")
    if not classes:
        raise ModelError("no classes are given; expected at least one with simhost.model")
    declared = [declaration_of(cls) for cls in classes]
    vendors = sorted({one.vendor for one in declared})
    if len(vendors) > 1:
        raise ModelError(f"the vendors are {' and '.join(vendors)}; expected one")
    with tempfile.TemporaryDirectory() as folder:
        objects: list[Path] = []
        parts = []
        for number, (cls, one) in enumerate(zip(classes, declared, strict=True)):
            if callable(getattr(cls, "prepare", None)):
                raise ModelError(f"{one.vendor}/{one.name} cannot be exported: it has the method 'prepare', which is Python")
            compiled = one.compile()
            symbols: list[dict[str, str]] = []
            for phase, kernel in enumerate(compiled.kernels):
                symbols.append({})
                for version, symbol, content in _versions(kernel):
                    symbols[-1][version] = symbol
                    objects.append(Path(folder, f"kernel{number}_{phase}_{version}.o"))
                    objects[-1].write_bytes(content)
            parts.append(_model(number, one, compiled.fields, symbols))
        Path(folder, "simhost_plugin.h").write_text(_core.plugin_header())
        source = Path(folder, "plugin.c")
        source.write_text(_source(vendors[0], path.stem, declared[0].version, parts))
        compiler = shlex.split(os.environ.get("CC", "cc"))
        options = ["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-Wl,--no-undefined"]
        words = [*compiler, *options, "-o", str(path), str(source), *map(str, objects), "-lm"]
        try:
            done = subprocess.run(words, capture_output=True, text=True)
        except OSError as error:
            raise ModelError(f"failed to run the C compiler {compiler[0]!r}: {error.strerror}; help: install one, or set CC") from None
    if "NRT_" in done.stderr:
        raise ModelError("a method makes a list or an array, which cannot be exported; help: use a global array of numpy")
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line or "undefined" in line]
        raise ModelError(f"the C compiler failed: {(lines or [done.stderr.strip()])[0][:300]}")
    return path


def _versions(kernel: Any) -> Iterator[tuple[str, str, bytes]]:
    """Returns the versions of a compiled function: what they are for, the symbol, and the code."""
    import llvmlite.binding as llvm

    (compiled,) = kernel.overloads.values()
    symbol = compiled.fndesc.llvm_func_name
    target = llvm.Target.from_triple(llvm.get_default_triple())
    is_x86 = platform.machine() in ("x86_64", "AMD64")
    for version, features in _FEATURES.items():
        if features and not is_x86:
            continue
        # no version may take the place of what another one calls
        text = re.sub(r"define (linkonce_odr|weak_odr|linkonce|weak) ", "define internal ", compiled.library.get_llvm_str())
        text = re.sub(r"define internal ([^\n]*@" + re.escape(symbol) + r"\()", r"define \1", text)
        module = llvm.parse_assembly(text.replace(f"@{symbol}(", f"@{symbol}{version}("))
        wanted = ",".join(f"+{one}" for one in features)
        machine = target.create_target_machine(features=wanted, opt=3, reloc="pic", codemodel="small")
        yield version, symbol + version, machine.emit_object(module)


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("?", "\\?")
    return f'SIMHOST_STR("{escaped}")'


def _number(value: float) -> str:
    if math.isinf(value):
        return "HUGE_VAL" if value > 0 else "-HUGE_VAL"
    return repr(float(value))


def _list(kind: str, name: str, items: Sequence[Any], content: Callable[[Any], str]) -> tuple[str, str]:
    """Returns the declaration of a list, and the slice of it."""
    if not items:
        return "", "{NULL, 0}"
    rows = ",\n    ".join(content(one) for one in items)
    return f"static const {kind} {name}[] = {{\n    {rows}}};\n", f"{{{name}, {len(items)}}}"


def _port(port: SimpleNamespace) -> str:
    texts = ", ".join(_text(one) for one in (port.name, port.unit, port.description))
    keys = f"{_text(port.key)}, {_text(port.key_unit)}, {_number(port.key_scale)}"
    return f"{{sizeof(simhost_port_desc), {port.scope}, {port.flags}, 0, {texts}, {_number(port.default)}, {keys}}}"


def _parameter(one: SimpleNamespace) -> str:
    if not isinstance(one.default, (bool, int, float)) and one.default is not None:
        raise ModelError(f"the parameter {one.key!r} cannot be exported: expected a number or a boolean")
    tag = 0 if one.default is None else 2 if isinstance(one.default, bool) else 1
    value = f"{{{tag}, 0, {_number(float(one.default or 0))}, {{\"\", 0}}, {{NULL, 0}}}}"
    head = f"sizeof(simhost_param_desc), {one.kind}, {one.flags}, 0, {_text(one.key)}, {{NULL, 0}}"
    limits = f"{_number(one.scale)}, {_number(one.low)}, {_number(one.high)}"
    return f"{{{head}, {_text(one.description)}, {_text(one.unit)}, {limits}, {value}, {{NULL, 0}}, {{NULL, 0}}}}"


def _state(one: SimpleNamespace) -> str:
    texts = ", ".join(_text(text) for text in (one.name, one.unit, one.description))
    initial = f"{_number(one.initial)}, {_text(one.initial_from)}"
    return f"{{sizeof(simhost_state_desc), {one.scope}, {one.kind}, 0, {texts}, {initial}}}"


def _model(number: int, one: Any, fields: list[str], symbols: list[dict[str, str]]) -> str:
    """Returns the C source of a model, which is called `model` with its number."""
    place = {parameter.key: k for k, parameter in enumerate(one.parameters)}
    out: list[str] = []

    def put(kind: str, name: str, items: Sequence[Any], content: Callable[[Any], str]) -> str:
        declared, piece = _list(kind, f"{name}{number}", items, content)
        out.append(declared)
        return piece

    params = put("simhost_param_desc", "params", one.parameters, _parameter)
    states = put("simhost_state_desc", "states", one.states, _state)
    for k, (_, ports) in enumerate(one.commands):
        out.append(_list("simhost_str", f"values{number}_{k}", ports, _text)[0])
    commands = put(
        "simhost_command_desc",
        "commands",
        list(enumerate(one.commands)),
        lambda of: f"{{sizeof(simhost_command_desc), 0, {_text(of[1][0])}, {{values{number}_{of[0]}, {len(of[1][1])}}}}}",
    )
    phases = []
    for k, (phase, symbol) in enumerate(zip(one.phases, symbols, strict=True)):
        inputs = put("simhost_port_desc", f"inputs{k}_", phase.inputs, _port)
        outputs = put("simhost_port_desc", f"outputs{k}_", phase.outputs, _port)
        for version, of in symbol.items():
            out.append(
                f"extern int32_t {version}{number}_{k}(uint32_t *, void **, const void *, const simhost_batch *, simhost_fault *)"
                f' __asm__("{of}");\n'
            )
        out.append(
            f"static uint32_t call{number}_{k}(const void *handle, const simhost_batch *batch, simhost_fault *fault) {{\n"
            "    uint32_t code = 0;\n    void *raised = NULL;\n"
        )
        for version in symbol:
            has = " && ".join(f'__builtin_cpu_supports("{one}")' for one in _FEATURES[version])
            call = f"{version}{number}_{k}(&code, &raised, handle, batch, fault) == 0 ? code : SIMHOST_FAULT_PANIC;\n"
            out.append(f"    {f'if ({has}) ' if has else ''}return {call}")
        out.append("}\n")
        phases.append(f"{{sizeof(simhost_phase), 0, {_text(phase.id)}, {inputs}, {outputs}, call{number}_{k}}}")
    listed = put("simhost_phase", "phases", phases, str)
    copies = "".join(f"    numbers[{k}] = values.data[{place[field]}].number;\n" for k, field in enumerate(fields))
    out.append(
        f"static uint32_t create{number}(simhost_value_slice values, void **handle, simhost_fault *fault) {{\n"
        f"    double *numbers = values.len == {len(one.parameters)} ? malloc({len(fields) + 1} * sizeof *numbers) : NULL;\n"
        f"    if (numbers == NULL) return fault->code = SIMHOST_FAULT_REFUSED;\n{copies}"
        "    *handle = numbers;\n    return SIMHOST_FAULT_NONE;\n}\n"
    )
    texts = f"{_text(one.name)}, {_text(one.version)}, {_text(one.doc)}"
    out.append(
        f"static const simhost_model model{number} = {{sizeof(simhost_model), {_KINDS[one.kind]}, {one.flags}, 0, {texts},\n"
        f"    {params}, {states}, {commands}, {{NULL, 0}}, NULL, {listed}, create{number}, free, NULL, NULL, NULL}};\n"
    )
    return "".join(out)


def _source(vendor: str, name: str, version: str, models: list[str]) -> str:
    """Returns the C source of a plugin."""
    pointers = ", ".join(f"&model{k}" for k in range(len(models)))
    return (
        '#include "simhost_plugin.h"\n\n#include <math.h>\n#include <stdlib.h>\n\n'
        + "\n".join(models)
        + f"static const simhost_model_ref models[] = {{{pointers}}};\n"
        + "SIMHOST_EXPORT const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, "
        + f"{_text(vendor)}, {_text(name)}, {_text(version)}, {{models, {len(models)}}}}};\n"
    )
