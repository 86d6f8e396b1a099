"""Environments of several agents for PettingZoo: `simhost.zoo.crowd_v0.parallel_env()`."""

from ..packages import needed

needed("pettingzoo", "simhost.zoo")
needed("gymnasium", "simhost.zoo")

from . import crowd_v0

__all__ = ["crowd_v0"]
