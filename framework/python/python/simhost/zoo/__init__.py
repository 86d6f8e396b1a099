"""Environments of several agents for PettingZoo.

`WorldParallelEnv` makes an environment of any `ParallelTask`; `crowd_v0.parallel_env()` is one that is ready to use.
"""

from ..packages import needed

needed("pettingzoo", "simhost.zoo")
needed("gymnasium", "simhost.zoo")

from . import crowd_v0
from .env import WorldParallelEnv
from .task import ParallelTask

__all__ = ["ParallelTask", "WorldParallelEnv", "crowd_v0"]
