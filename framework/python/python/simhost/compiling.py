"""Compiles methods of models with numba, into functions of the C boundary that need no lock of the interpreter.

The method of an array of lanes becomes a function of the numbers of one lane, in a loop over the lanes of a call.
"""

from __future__ import annotations

import ast
import ctypes
import inspect
import re
import struct
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CellType, FunctionType
from typing import Any

import numpy as np

from .errors import ModelError
from .model_calls import PhaseColumns, describe_exception, prepared
from .packages import needed

# columns of a batch among its words of 8 bytes
_FIRST, _COUNT, _TIME, _DT, _INPUTS, _OUTPUTS, _STATES = 1, 2, 5, 6, 7, 8, 9
# parts of a fault among its words, and the code of one
_CODE, _LANE, _SUGGESTED_DT, _TEXT = 0, 1, 2, 3
_FAULTED = 1
_MESSAGE = b"a compiled method has raised an exception"
# no division is checked, because the host names what is not finite
_CHECKS = {"error_model": "numpy", "boundscheck": True}
# Python calls nothing
_OPTIONS = {**_CHECKS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
# compiled code is never freed, because worlds keep its addresses
_KEPT: list[Any] = []


@dataclass(frozen=True)
class CompiledModel:
    """The functions of a model."""

    fields: list[str]
    """Attributes of an instance whose numbers the functions read."""
    kernels: list[Any]
    """A function for each phase, as numba has compiled it."""
    reports: list[Callable[[int, int, int], None]]
    """For each phase, a function that describes the exception of a lane, from the addresses of handle, batch and fault."""

    def addresses(self) -> list[int]:
        """Returns the addresses of functions that C can call."""
        numba = needed("numba", "compile=True")
        types = numba.types
        signature = types.uint32(types.voidptr, types.voidptr, types.voidptr)
        callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        reports = [callback(report) for report in self.reports]
        functions = [numba.cfunc(signature)(_reporting(*both)) for both in zip(self.kernels, reports, strict=True)]
        _KEPT.extend([*functions, *reports])
        return [function.address for function in functions]

    def numbers(self, own: Any) -> list[float]:
        """Returns the numbers of an instance."""
        return [float(getattr(own, field)) for field in self.fields]


def compile_model(
    cls: type, name: str, parameters: Mapping[str, Any], phases: Sequence[PhaseColumns], states: Sequence[tuple[str, int]]
) -> CompiledModel:
    """Compiles the phases of a class.

    Raises:
        MissingPackageError: numba is not installed.
        ModelError: the method has what cannot be compiled, which the text names with its line.
    """
    needed("numba", "compile=True")
    own = prepared(cls, {key: _example(one) for key, one in parameters.items()})
    fields = [key for key, value in vars(own).items() if isinstance(value, (bool, int, float, np.number))]
    kernels, reports = [], []
    for phase in phases:
        ports = [*phase.inputs, *phase.outputs, *states]
        if wide := [port for port, scope in ports if scope != 0]:
            raise ModelError(f"{name!r} cannot be compiled: {wide[0]!r} has more than one value per lane; help: leave out compile=True")
        own_states = [state for state, _ in states]
        method = _LaneMethod(cls, name, phase, fields, own_states)
        lane = method.function()
        kernels.append(_kernel(method, lane, phase, fields, own_states))
        reports.append(_report(lane, phase, fields, len(states)))
    return CompiledModel(fields, kernels, reports)


def _example(parameter: Any) -> Any:
    """Returns a value of a parameter, for the names that `prepare` sets."""
    if parameter.default is not None:
        return parameter.default
    return next((limit for limit in (parameter.low, parameter.high) if np.isfinite(limit)), 1.0)


def _reporting(kernel: Any, report: Any) -> Any:
    """Returns a kernel that calls a function of the interpreter after a fault, which describes it."""

    def reporting(handle, batch, fault):  # type: ignore[no-untyped-def]
        code = kernel(handle, batch, fault)
        if code != 0:
            report(handle, batch, fault)
        return code

    return reporting


def _report(lane: FunctionType, phase: PhaseColumns, fields: list[str], states: int) -> Callable[[int, int, int], None]:
    """Returns a function that calls the lane of a fault again, and writes the text of its exception to the fault."""
    from numba import njit

    # compiled at the first fault, with a wrapper that raises exceptions
    again = njit(**_CHECKS)(lane)
    interpreted = FunctionType(lane.__code__, {**lane.__globals__, "simhost_where": _where, "simhost_clip": _clip})

    def report(handle: int, batch: int, fault: int) -> None:
        words, numbers = _read(ctypes.c_int64, batch, _STATES + 1), _read(ctypes.c_double, batch, _STATES + 1)
        (number,) = _read(ctypes.c_int64, fault + 8 * _LANE, 1)

        def value(column: int) -> float:
            return float(_read(ctypes.c_double, column + 8 * number, 1)[0])

        columns = _read(ctypes.c_int64, words[_INPUTS], len(phase.inputs) + len(phase.varied))
        inputs, varied = columns[: len(phase.inputs)], columns[len(phase.inputs) :]
        own = dict(zip(fields, _read(ctypes.c_double, handle, len(fields)), strict=True))
        own |= {key: value(column) for key, column in zip(phase.varied, varied, strict=True) if column}
        lanes = [value(column) for column in inputs + _read(ctypes.c_int64, words[_STATES], states)]
        given = [*(own[key] for key in fields), *lanes, numbers[_TIME], numbers[_DT]]
        if not (error := _exception(again, given)):
            return
        # numba does not know the line of an index
        if error.__traceback__ is None and type(other := _exception(interpreted, given)) is type(error):
            error = other
        text = describe_exception(error).encode()
        ctypes.memmove(fault + 4, struct.pack("=I", len(text)), 4)
        ctypes.memmove(fault + 8 * _TEXT, text, len(text))

    return report


def _exception(function: Callable[..., Any], arguments: Sequence[Any]) -> Exception | None:
    """Returns the exception of a call, with the traceback of the function."""
    try:
        function(*arguments)
    except Exception as error:
        return error.with_traceback(error.__traceback__.tb_next if error.__traceback__ else None)
    return None


def _read(kind: Any, address: int, count: int) -> list[Any]:
    """Returns numbers at an address."""
    return list((kind * count).from_address(address)) if count else []


def _attempt(lane: Any) -> Any:
    """Returns a function that calls a lane with a tuple of numbers, and returns whether it has raised an exception, and its
    results."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    (compiled,) = lane.overloads.values()

    @intrinsic  # type: ignore[misc]
    def attempt(typing, numbers):  # type: ignore[no-untyped-def]
        def code(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            context.add_linking_libs([compiled.library])
            described = compiled.fndesc
            function = context.declare_function(builder.module, described)
            given = cgutils.unpack_tuple(builder, arguments[0])
            status, results = context.call_conv.call_function(builder, function, described.restype, described.argtypes, given)
            return context.make_tuple(builder, signature.return_type, (status.is_error, results))

        return types.Tuple((types.boolean, compiled.signature.return_type))(numbers), code

    return attempt


def _kernel(method: _LaneMethod, function: FunctionType, phase: PhaseColumns, fields: list[str], states: list[str]) -> Any:
    """Returns the compiled function of a phase."""
    numba = needed("numba", "compile=True")
    from numba.core.errors import NumbaError

    types = numba.types
    compiled = numba.njit(**_OPTIONS, pipeline_class=_apart())
    arguments = (types.float64,) * (len(fields) + len(phase.inputs) + len(states) + 2)
    try:
        lane = numba.njit(arguments, **_OPTIONS)(function)
    except NumbaError as error:
        raise ModelError(f"{method.model!r} cannot be compiled: {_shortened(str(error))}{method.place()}") from None
    pointers = _pointers()
    names = {"attempt": _attempt(lane), "words": pointers[0], "floats": pointers[1]}
    inputs = [f"i{k}" for k in range(len(phase.inputs))]
    varied = [f"v{k}" for k in range(len(phase.varied))]
    written = [f"o{k}" for k in range(len(phase.outputs))] + ([] if phase.of_states else [f"s{k}" for k in range(len(states))])
    kept = [f"s{k}" for k in range(len(states))]
    columns = [*inputs, *varied, *dict.fromkeys([*written, *kept])]

    def loop(has_varied: bool) -> str:
        place = {key: k for k, key in enumerate(phase.varied)}
        values = [f"v{place[key]}[k]" if has_varied and key in place else f"p{n}" for n, key in enumerate(fields)]
        arguments = ", ".join([*values, *(f"{one}[k]" for one in [*inputs, *kept]), "time", "dt"])
        head = [f"def lanes(handle, count, time, dt, {', '.join(columns)}):"]
        head += [f"    p{n} = handle[{n}]" for n in range(len(fields))]
        head += ["    for k in range(count):", f"        has_failed, results = attempt(({arguments}))"]
        head += ["        if has_failed:", "            return k"]
        return "\n".join(head + [f"        {one}[k] = results[{k}]" for k, one in enumerate(written)] + ["    return count"])

    for key, has_varied in {"uniform": False, **({"varied": True} if varied else {})}.items():
        scope = dict(names)
        exec(loop(has_varied), scope)
        names[key] = compiled(scope["lanes"])
    given = [f"floats(inputs[{k}] + start)" for k in range(len(inputs) + len(varied))]
    given += [f"floats(outputs[{k}] + start)" for k in range(len(phase.outputs))]
    given += [f"floats(states[{k}] + start)" for k in range(len(states))]
    call = f"(floats(handle), batch[{_COUNT}], times[{_TIME}], times[{_DT}], {', '.join(given)})"
    text = ["def kernel(handle, lanes, fault):", "    batch = words(lanes)", "    times = floats(lanes)"]
    text += [f"    start = 8 * batch[{_FIRST}]"]
    text += [f"    {one} = words(batch[{k}])" for one, k in [("inputs", _INPUTS), ("outputs", _OUTPUTS), ("states", _STATES)]]
    if varied:
        text += [f"    if inputs[{len(inputs)}] != 0:", f"        complete = varied{call}", "    else:"]
        text += [f"        complete = uniform{call}"]
    else:
        text += [f"    complete = uniform{call}"]
    padded = _MESSAGE + bytes(-len(_MESSAGE) % 8)
    message = struct.unpack(f"={len(padded) // 8}q", padded)
    text += [f"    if complete == batch[{_COUNT}]:", "        return 0", "    faulted = words(fault)"]
    text += [f"    faulted[{_CODE}] = {_FAULTED | len(_MESSAGE) << 32}", f"    faulted[{_LANE}] = batch[{_FIRST}] + complete"]
    text += [f"    faulted[{_SUGGESTED_DT}] = 0", *(f"    faulted[{_TEXT + k}] = {word}" for k, word in enumerate(message))]
    text += [f"    return {_FAULTED}"]
    scope = dict(names)
    exec("\n".join(text), scope)
    return numba.njit(types.uint32(types.voidptr, types.voidptr, types.voidptr), **_OPTIONS)(scope["kernel"])


def _shortened(text: str) -> str:
    """Returns what a message of numba says about the method itself, in one line."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    lines = [line.strip() for line in text.splitlines()]
    ours = [line for line in lines if line and not line.startswith(("Failed in", "During:", "File ", "There are", "- Of which", ">>>"))]
    wanted = [line for line in ours if not line.startswith(("Invalid use of type(CPUDispatcher", "def kernel", "<source"))]
    return " ".join((wanted or ours)[:2])[:200]


def _apart() -> Any:
    """Returns a compiler whose functions can assume that columns do not overlap, which lets loops use vectors."""
    from numba.core.compiler import Compiler

    class Apart(Compiler):  # type: ignore[misc]
        def __init__(self, *arguments: Any):
            super().__init__(*arguments)
            self.state.flags.noalias = True

    return Apart


@cache
def _pointers() -> tuple[Any, Any]:
    """Returns functions from an address, or a pointer, to a pointer to words and to one to numbers."""
    from numba import types
    from numba.extending import intrinsic

    def of(item: Any) -> Any:
        @intrinsic  # type: ignore[misc]
        def pointer(typing, address):  # type: ignore[no-untyped-def]
            def code(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                to = context.get_value_type(signature.return_type)
                if isinstance(signature.args[0], types.Integer):
                    return builder.inttoptr(arguments[0], to)
                return builder.bitcast(arguments[0], to)

            return types.CPointer(item)(address), code

        return pointer

    return of(types.int64), of(types.float64)


def _where(condition, yes, no):  # type: ignore[no-untyped-def]
    return yes if condition else no


def _clip(value, low, high):  # type: ignore[no-untyped-def]
    return np.minimum(np.maximum(value, low), high)


def _checked(item: Any, known: dict[int, Any]) -> Any:
    """Returns a function of numba as one that checks indices, and so do those that it calls; any other object as it is."""
    from numba import jit
    from numba.core.dispatcher import Dispatcher

    if not isinstance(item, Dispatcher) or item.targetoptions.get("boundscheck") is not None:
        return item
    if id(item) in known:
        return known[id(item)]
    own = item.py_func
    scope, cells = dict(own.__globals__), tuple(CellType() for _ in own.__closure__ or ())
    function = FunctionType(own.__code__, scope, own.__name__, own.__defaults__, cells or None)
    known[id(item)] = checked = jit(locals=item.locals, **{**item.targetoptions, "boundscheck": True})(function)
    _check_globals(function, known)
    for cell, old in zip(cells, own.__closure__ or (), strict=True):
        cell.cell_contents = _checked(old.cell_contents, known)
    if not item._can_compile:
        # it was declared with signatures
        for signature in item.nopython_signatures:
            checked.compile(signature.args)
        checked.disable_compile()
    return checked


def _check_globals(function: FunctionType, known: dict[int, Any]) -> None:
    """Replaces the functions of numba that a function calls by those that check indices."""
    scope = function.__globals__
    scope.update({key: _checked(scope[key], known) for key in function.__code__.co_names if key in scope})


def _end_without_return(body: Sequence[ast.stmt]) -> ast.stmt | None:
    """Returns the last statement of a path through a body that ends without a return; None if there is no such path."""
    last = body[-1]
    if isinstance(last, ast.Return):
        return None
    if isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and last.test.value:
        return last if any(isinstance(one, ast.Break) for one in ast.walk(last)) else None
    if isinstance(last, ast.If):
        return _end_without_return(last.body) or (_end_without_return(last.orelse) if last.orelse else last)
    return last


class _LaneMethod(ast.NodeTransformer):
    """A method of arrays of lanes as a function of the numbers of one lane."""

    def __init__(self, cls: type, name: str, phase: PhaseColumns, fields: list[str], states: list[str]):
        method: FunctionType = getattr(cls, phase.method)
        self._cls, self.model, self._phase = cls, name, phase
        self._fields, self._states = fields, states
        self._file = inspect.getsourcefile(method) or "?"
        try:
            lines, self._first = inspect.getsourcelines(method)
        except OSError:
            raise ModelError(f"{name!r} cannot be compiled: the source of {phase.method!r} is not in a file") from None
        tree = ast.parse(textwrap.dedent("".join(lines)))
        ast.increment_lineno(tree, self._first - 1)
        definition = tree.body[0]
        if not isinstance(definition, ast.FunctionDef) or len(definition.args.args) != 4:
            raise ModelError(f"{name!r} cannot be compiled: expected the method {phase.method}(self, lanes, state, step){self.place()}")
        self._definition = definition
        roles = ("self", "lanes", "state", "step")
        self._roles = {one.arg: role for one, role in zip(definition.args.args, roles, strict=True)}
        self._scope = {**method.__globals__, **inspect.getclosurevars(method).nonlocals}

    def place(self, node: Any = None) -> str:
        """Returns the file and the line of a node."""
        return f" ({Path(self._file).name}, line {getattr(node, 'lineno', self._first)})"

    def _refuse(self, node: ast.AST, what: str) -> ModelError:
        return ModelError(f"{self.model!r} cannot be compiled: {what}{self.place(node)}; help: leave out compile=True")

    def function(self) -> FunctionType:
        """Returns the function of one lane."""
        from numba import njit

        body = [self.visit(statement) for statement in self._definition.body]
        if len(body) > 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        if (last := _end_without_return(body)) is not None:
            raise self._refuse(last, "it does not return on every path")
        names = [f"p_{one}" for one in self._fields]
        names += [f"i_{one}" for one, _ in self._phase.inputs]
        names += [f"s_{one}" for one in self._states] + ["step_time", "step_dt"]
        arguments = ast.arguments(posonlyargs=[], args=[ast.arg(one) for one in names], kwonlyargs=[], kw_defaults=[], defaults=[])
        made = ast.FunctionDef(name=self._phase.method, args=arguments, body=body, decorator_list=[])
        module = ast.fix_missing_locations(ast.Module(body=[ast.copy_location(made, self._definition)], type_ignores=[]))
        scope = {**self._scope, "simhost_where": njit(**_OPTIONS)(_where), "simhost_clip": njit(**_OPTIONS)(_clip)}
        exec(compile(module, self._file, "exec"), scope)
        function: FunctionType = scope[self._phase.method]
        _check_globals(function, {})
        return function

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        role = self._roles.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if role is None:
            return self.generic_visit(node)
        known, prefix = {
            "self": (self._fields, "p_"),
            "lanes": ([one for one, _ in self._phase.inputs], "i_"),
            "state": (self._states, "s_"),
            "step": (["time", "dt"], "step_"),
        }[role]
        if node.attr in known:
            if role in ("lanes", "step", "self") and not isinstance(node.ctx, ast.Load):
                raise self._refuse(node, f"it sets {ast.unparse(node)}")
            return ast.copy_location(ast.Name(id=prefix + node.attr, ctx=node.ctx), node)
        if role == "self" and isinstance(fixed := getattr(self._cls, node.attr, None), (bool, int, float)):
            return ast.copy_location(ast.Constant(value=fixed), node)
        raise self._refuse(node, f"it uses {ast.unparse(node)}; expected one of {', '.join(known) or 'none'}")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self._roles:
            raise self._refuse(node, f"it passes {node.id!r} as a whole; expected its attributes")
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = self._resolved(node.func)
        if called in (np.where, np.clip) and len(node.args) == 3:
            new = "simhost_where" if called is np.where else "simhost_clip"
            node.func = ast.copy_location(ast.Name(id=new, ctx=ast.Load()), node.func)
        return self.generic_visit(node)

    def _resolved(self, node: ast.expr) -> Any:
        """Returns the object of the module that an expression such as `np.where` names."""
        if isinstance(node, ast.Name):
            return self._scope.get(node.id)
        if isinstance(node, ast.Attribute) and (owner := self._resolved(node.value)) is not None:
            return getattr(owner, node.attr, None)
        return None

    def visit_Return(self, node: ast.Return) -> ast.AST:
        outputs = [name for name, _ in self._phase.outputs]
        if not isinstance(node.value, ast.Dict):
            raise self._refuse(node, "it does not return a mapping in braces")
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.value.keys]
        if sorted(map(str, keys)) != sorted(outputs):
            raise self._refuse(node, f"it returns {', '.join(map(str, keys))}; expected {', '.join(outputs)}")
        values = dict(zip(keys, node.value.values, strict=True))
        results = [self.visit(values[name]) for name in outputs]
        if not self._phase.of_states:
            results += [ast.Name(id=f"s_{one}", ctx=ast.Load()) for one in self._states]
        numbers: list[ast.expr] = [ast.Call(func=ast.Name(id="float", ctx=ast.Load()), args=[one], keywords=[]) for one in results]
        return ast.copy_location(ast.Return(value=ast.Tuple(elts=numbers, ctx=ast.Load())), node)

    def visit_Raise(self, node: ast.AST) -> ast.AST:
        what = type(node).__name__.lower()
        raise self._refuse(node, f"it has the statement {what!r}")

    visit_Assert = visit_Try = visit_With = visit_FunctionDef = visit_Lambda = visit_Yield = visit_Raise
