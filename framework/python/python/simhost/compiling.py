"""Compiles methods of models with numba, into functions of the C boundary that need no lock of the interpreter.

The method of an array of lanes becomes a function of the numbers of one lane, in a loop over the lanes of a call.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from .errors import ModelError
from .model_calls import PhaseColumns, prepared
from .packages import needed

# columns of a batch among its words of 8 bytes
_FIRST, _COUNT, _TIME, _DT, _INPUTS, _OUTPUTS, _STATES = 1, 2, 5, 6, 7, 8, 9
# no division is checked, because the host names what is not finite; and Python calls nothing
_OPTIONS = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
# compiled code is never freed, because worlds keep its addresses
_KEPT: list[Any] = []


@dataclass(frozen=True)
class CompiledModel:
    """The functions of a model."""

    fields: list[str]
    """Attributes of an instance whose numbers the functions read."""
    kernels: list[Any]
    """A function for each phase, as numba has compiled it."""

    def addresses(self) -> list[int]:
        """Returns the addresses of functions that C can call."""
        numba = needed("numba", "compile=True")
        types = numba.types
        signature = types.uint32(types.CPointer(types.float64), types.CPointer(types.int64), types.voidptr)
        functions = [numba.cfunc(signature)(_forwarded(kernel)) for kernel in self.kernels]
        _KEPT.extend(functions)
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
    own = prepared(cls, {key: _example(one) for key, one in parameters.items()})
    fields = [key for key, value in vars(own).items() if isinstance(value, (bool, int, float, np.number))]
    kernels = []
    for phase in phases:
        ports = [*phase.inputs, *phase.outputs, *states]
        if wide := [port for port, scope in ports if scope != 0]:
            raise ModelError(f"{name!r} cannot be compiled: {wide[0]!r} has more than one value per lane; help: leave out compile=True")
        kernels.append(_kernel(cls, name, phase, fields, [state for state, _ in states]))
    return CompiledModel(fields, kernels)


def _example(parameter: Any) -> Any:
    """Returns a value of a parameter, for the names that `prepare` sets."""
    if parameter.default is not None:
        return parameter.default
    return next((limit for limit in (parameter.low, parameter.high) if np.isfinite(limit)), 1.0)


def _forwarded(kernel: Any) -> Any:
    def forwarded(handle, batch, fault):  # type: ignore[no-untyped-def]
        return kernel(handle, batch, fault)

    return forwarded


def _kernel(cls: type, name: str, phase: PhaseColumns, fields: list[str], states: list[str]) -> Any:
    """Returns the compiled function of a phase."""
    numba = needed("numba", "compile=True")
    from numba.core.errors import NumbaError

    of_lane = _LaneMethod(cls, name, phase, fields, states)
    types = numba.types
    words, floats = types.CPointer(types.int64), types.CPointer(types.float64)
    compiled = numba.njit(**_OPTIONS, pipeline_class=_apart())
    plain = numba.njit(**_OPTIONS)
    lane = plain(of_lane.function())
    pointers = _pointers()
    names = {"lane": lane, "words": pointers[0], "floats": pointers[1]}
    inputs = [f"i{k}" for k in range(len(phase.inputs))]
    varied = [f"v{k}" for k in range(len(phase.varied))]
    written = [f"o{k}" for k in range(len(phase.outputs))] + ([] if phase.of_states else [f"s{k}" for k in range(len(states))])
    kept = [f"s{k}" for k in range(len(states))]
    columns = [*inputs, *varied, *dict.fromkeys([*written, *kept])]

    def loop(has_varied: bool) -> str:
        place = {key: k for k, key in enumerate(phase.varied)}
        values = [f"v{place[key]}[k]" if has_varied and key in place else f"p{n}" for n, key in enumerate(fields)]
        results = ", ".join(f"r{k}" for k in range(len(written))) + ","
        arguments = ", ".join([*values, *(f"{one}[k]" for one in [*inputs, *kept]), "time", "dt"])
        head = [f"def lanes(handle, count, time, dt, {', '.join(columns)}):"]
        head += [f"    p{n} = handle[{n}]" for n in range(len(fields))]
        head += ["    for k in range(count):", f"        {results} = lane({arguments})"]
        return "\n".join(head + [f"        {one}[k] = r{k}" for k, one in enumerate(written)])

    for key, has_varied in {"uniform": False, **({"varied": True} if varied else {})}.items():
        scope = dict(names)
        exec(loop(has_varied), scope)
        names[key] = compiled(scope["lanes"])
    given = [f"floats(inputs[{k}] + start)" for k in range(len(inputs) + len(varied))]
    given += [f"floats(outputs[{k}] + start)" for k in range(len(phase.outputs))]
    given += [f"floats(states[{k}] + start)" for k in range(len(states))]
    call = f"(handle, batch[{_COUNT}], times[{_TIME}], times[{_DT}], {', '.join(given)})"
    text = ["def kernel(handle, batch, fault):", f"    start = 8 * batch[{_FIRST}]", "    times = floats(batch)"]
    text += [f"    {one} = words(batch[{k}])" for one, k in [("inputs", _INPUTS), ("outputs", _OUTPUTS), ("states", _STATES)]]
    if varied:
        text += [f"    if inputs[{len(inputs)}] != 0:", f"        varied{call}", "        return 0"]
    text += [f"    uniform{call}", "    return 0"]
    scope = dict(names)
    exec("\n".join(text), scope)
    try:
        return numba.njit(types.uint32(floats, words, types.voidptr), **_OPTIONS)(scope["kernel"])
    except NumbaError as error:
        raise ModelError(f"{name!r} cannot be compiled: {_shortened(str(error))}{of_lane.place()}") from None


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
                if isinstance(signature.args[0], types.CPointer):
                    return builder.bitcast(arguments[0], to)
                return builder.inttoptr(arguments[0], to)

            return types.CPointer(item)(address), code

        return pointer

    return of(types.int64), of(types.float64)


def _where(condition, yes, no):  # type: ignore[no-untyped-def]
    return yes if condition else no


def _clip(value, low, high):  # type: ignore[no-untyped-def]
    return np.minimum(np.maximum(value, low), high)


class _LaneMethod(ast.NodeTransformer):
    """A method of arrays of lanes as a function of the numbers of one lane."""

    def __init__(self, cls: type, name: str, phase: PhaseColumns, fields: list[str], states: list[str]):
        method: FunctionType = getattr(cls, phase.method)
        self._cls, self._name, self._phase = cls, name, phase
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
        return ModelError(f"{self._name!r} cannot be compiled: {what}{self.place(node)}; help: leave out compile=True")

    def function(self) -> FunctionType:
        """Returns the function of one lane."""
        from numba import njit

        body = [self.visit(statement) for statement in self._definition.body]
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        names = [f"p_{one}" for one in self._fields]
        names += [f"i_{one}" for one, _ in self._phase.inputs]
        names += [f"s_{one}" for one in self._states] + ["step_time", "step_dt"]
        arguments = ast.arguments(posonlyargs=[], args=[ast.arg(one) for one in names], kwonlyargs=[], kw_defaults=[], defaults=[])
        made = ast.FunctionDef(name=self._phase.method, args=arguments, body=body, decorator_list=[])
        module = ast.fix_missing_locations(ast.Module(body=[ast.copy_location(made, self._definition)], type_ignores=[]))
        scope = {**self._scope, "simhost_where": njit(**_OPTIONS)(_where), "simhost_clip": njit(**_OPTIONS)(_clip)}
        exec(compile(module, self._file, "exec"), scope)
        function: FunctionType = scope[self._phase.method]
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
