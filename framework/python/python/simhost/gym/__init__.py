"""Environments for Gymnasium. Importing this module registers them; `gymnasium.make("simhost.gym:simhost/Goal-v0")` imports it.

`WorldEnv` and `WorldVectorEnv` make environments of any `Task`; `simhost/Goal-v0` and the others of `TASKS` are
registered, so that `gymnasium.make` and `gymnasium.make_vec` know them.
"""

from ..packages import needed

needed("gymnasium", "simhost.gym")

import gymnasium

from .envs import WorldEnv, WorldVectorEnv
from .task import Action, Task, any_below, scaled
from .tasks import TASKS

__all__ = ["TASKS", "Action", "Task", "WorldEnv", "WorldVectorEnv", "any_below", "scaled"]

for _task in TASKS.values():
    gymnasium.register(
        id=_task.name,
        entry_point="simhost.gym.envs:WorldEnv",
        vector_entry_point="simhost.gym.envs:WorldVectorEnv",
        kwargs={"task": _task.name},
        reward_threshold=_task.reference_score,
    )
