"""Environments of several agents for PettingZoo: `simhost.zoo.crowd_v0.parallel_env()`."""

from . import crowd_v0

__all__ = ["crowd_v0"]
