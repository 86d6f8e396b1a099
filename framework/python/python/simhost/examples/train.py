"""Trains a policy for a registered task with proximal policy optimisation, with numpy alone.

    python -m simhost.examples.train Goal

The policy is a network with two hidden layers, whose output is the mean of a normal distribution; a second network
estimates returns. Both are trained with Adam on the clipped objective of J. Schulman et al., "Proximal policy optimization
algorithms", arXiv:1707.06347, 2017, with generalised advantage estimation. The curve is written to a CSV file.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from .. import gym

Array = np.ndarray[Any, np.dtype[np.float32]]


class Network:
    """Two hidden layers with tanh, and a linear output."""

    def __init__(self, sizes: list[int], last_scale: float, draw: np.random.Generator) -> None:
        scales = [1.0] * (len(sizes) - 2) + [last_scale]
        shapes = zip(sizes[:-1], sizes[1:], scales, strict=True)
        self.weights: list[Array] = [(draw.standard_normal((a, b)) * s / np.sqrt(a)).astype(np.float32) for a, b, s in shapes]
        self.biases: list[Array] = [np.zeros(b, dtype=np.float32) for b in sizes[1:]]

    def parameters(self) -> list[Array]:
        return [*self.weights, *self.biases]

    def forward(self, x: Array) -> tuple[Array, list[Array]]:
        layers = [x]
        for number, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = x @ weight + bias
            if number + 1 < len(self.weights):
                x = np.tanh(x)
                layers.append(x)
        return x, layers

    def gradients(self, layers: list[Array], error: np.ndarray[Any, Any]) -> list[Array]:
        """Returns the gradients of all parameters for the gradient of the output."""
        weights, biases = [], []
        for number in reversed(range(len(self.weights))):
            weights.insert(0, layers[number].T @ error)
            biases.insert(0, error.sum(axis=0))
            if number > 0:
                error = (error @ self.weights[number].T) * (1.0 - layers[number] ** 2)
        return [*weights, *biases]


class Adam:
    """Adam with gradients of limited length."""

    def __init__(self, parameters: list[Array]) -> None:
        self.parameters = parameters
        self.means: list[Array] = [np.zeros_like(one) for one in parameters]
        self.squares: list[Array] = [np.zeros_like(one) for one in parameters]
        self.count: int = 0

    def step(self, gradients: list[Array], rate: float) -> None:
        self.count += 1
        length = np.sqrt(sum(float((one**2).sum()) for one in gradients))
        scale = np.float32(min(1.0, 0.5 / (length + 1e-8)))
        rate *= np.sqrt(1.0 - 0.999**self.count) / (1.0 - 0.9**self.count)
        for own, mean, square, gradient in zip(self.parameters, self.means, self.squares, gradients, strict=True):
            mean += np.float32(0.1) * (gradient * scale - mean)
            square += np.float32(0.001) * ((gradient * scale) ** 2 - square)
            own -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))


class Trainer:
    """Environments of a task, and what is learnt about them."""

    def __init__(self, task: str, count: int, horizon: int, seed: int, threads: int) -> None:
        self.env: gymnasium.vector.VectorEnv[Any, Any, Any] = gymnasium.make_vec(task, num_envs=count, threads=threads, autoreset_mode="SameStep")
        self.draw: np.random.Generator = np.random.default_rng(seed)
        self.task: gym.Task = gym.TASKS[task]
        size = self.env.single_observation_space.shape[0]
        self.actions: int = self.env.single_action_space.shape[0]
        self.policy: Network = Network([size, 64, 64, self.actions], 0.01, self.draw)
        self.value: Network = Network([size, 64, 64, 1], 1.0, self.draw)
        self.spread: Array = np.full(self.actions, -0.5, dtype=np.float32)  # logarithm of the standard deviation
        self.adam: Adam = Adam([*self.policy.parameters(), self.spread])
        self.value_adam: Adam = Adam(self.value.parameters())
        self.horizon: int = horizon
        self.count: int = count
        self.seen: Array = self.env.reset(seed=seed)[0]
        self.returns: np.ndarray[Any, Any] = np.zeros(count)
        self.finished: list[float] = []

    def log_chance(self, mean: Array, action: Array) -> Array:
        part = ((action - mean) / np.exp(self.spread)) ** 2 + 2.0 * self.spread + np.log(2.0 * np.pi)
        return -0.5 * part.sum(axis=1)

    def collect(self) -> tuple[Array, Array, Array, Array, Array]:
        """Acts, and returns observations, actions, their log-probabilities, advantages and returns."""
        seen, actions, chances, rewards, values, ends = [], [], [], [], [], []
        for _ in range(self.horizon):
            mean, _ = self.policy.forward(self.seen)
            noise = self.draw.standard_normal(mean.shape, dtype=np.float32)
            action = mean + np.exp(self.spread) * noise
            seen.append(self.seen)
            actions.append(action)
            chances.append(self.log_chance(mean, action))
            values.append(self.value.forward(self.seen)[0][:, 0])
            self.seen, reward, terminated, truncated, info = self.env.step(action)
            self.returns += reward
            done = terminated | truncated
            reward = reward.astype(np.float32)
            if truncated.any():
                # an episode that is cut off would have gone on
                cut = np.flatnonzero(truncated & ~terminated)
                last = np.array([info["final_obs"][member] for member in cut], dtype=np.float32)
                if len(cut):
                    reward[cut] += np.float32(0.99) * self.value.forward(last)[0][:, 0]
            self.finished += self.returns[done].tolist()
            self.returns[done] = 0.0
            rewards.append(reward)
            ends.append(done)
        advantages = np.zeros((self.horizon, self.count), dtype=np.float32)
        following, advantage = self.value.forward(self.seen)[0][:, 0], np.zeros(self.count, dtype=np.float32)
        for step in reversed(range(self.horizon)):
            goes_on = np.float32(0.99) * ~ends[step]
            error = rewards[step] + goes_on * following - values[step]
            advantage = error + goes_on * np.float32(0.95) * advantage
            advantages[step], following = advantage, values[step]
        targets = advantages + np.array(values)
        flat = [np.concatenate(one) for one in (seen, actions, chances)]
        return flat[0], flat[1], flat[2], advantages.ravel(), targets.ravel()

    def learn(self, rate: float, epochs: int = 4, batches: int = 8) -> None:
        """Collects one horizon of steps and improves both networks."""
        seen, actions, chances, advantages, targets = self.collect()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        for _ in range(epochs):
            for batch in np.array_split(self.draw.permutation(len(seen)), batches):
                own, action, advantage = seen[batch], actions[batch], advantages[batch]
                mean, layers = self.policy.forward(own)
                ratio = np.exp(self.log_chance(mean, action) - chances[batch])
                is_clipped = ((ratio > 1.2) & (advantage > 0)) | ((ratio < 0.8) & (advantage < 0))
                slope = np.where(is_clipped, 0.0, -ratio * advantage).astype(np.float32) / len(batch)
                away = (action - mean) / np.exp(2.0 * self.spread)
                spread = (slope[:, None] * (away * (action - mean) - 1.0)).sum(axis=0) - np.float32(0.001)
                self.adam.step([*self.policy.gradients(layers, slope[:, None] * away), spread], rate)
                value, layers = self.value.forward(own)
                error = np.asarray((value[:, 0] - targets[batch])[:, None] / len(batch), dtype=np.float32)
                self.value_adam.step(self.value.gradients(layers, error), rate)

    def score(self, episodes: int) -> float:
        """Returns the mean return of the policy without noise, over fresh environments."""
        env = gymnasium.make_vec(self.task.name, num_envs=episodes, autoreset_mode="Disabled")
        seen, _ = env.reset(seed=1_000_000)
        total, is_open = np.zeros(episodes), np.ones(episodes, dtype=bool)
        while is_open.any():
            seen, reward, terminated, truncated, _ = env.step(self.policy.forward(seen)[0])
            total += reward * is_open
            is_open &= ~(terminated | truncated)
            if (terminated | truncated).any():
                env.reset(options={"reset_mask": terminated | truncated})
        env.close()
        return float(total.mean())


def train(task: str, seconds: float, seed: int, threads: int, out: Path) -> float:
    """Trains until the score of the policy reaches the reference score of the task, and returns it."""
    trainer = Trainer(task, 512, 64, seed, threads)
    wanted = gym.TASKS[task].reference_score
    rows, began, rounds, score = ["seconds,steps,mean_return,score"], time.monotonic(), 0, float("nan")
    while (elapsed := time.monotonic() - began) < seconds:
        trainer.learn(1e-3 * max(0.1, 1.0 - elapsed / seconds))
        rounds += 1
        if rounds % 10:
            continue
        score = trainer.score(256)
        mean = float(np.mean(trainer.finished[-512:])) if trainer.finished else float("nan")
        elapsed, steps = time.monotonic() - began, rounds * trainer.count * trainer.horizon
        rows.append(f"{elapsed:.2f},{steps},{mean:.3f},{score:.3f}")
        print(f"{elapsed:6.1f} s  {steps:9} steps  mean return {mean:7.2f}  score {score:7.2f}", flush=True)
        if wanted is not None and score >= wanted:
            break
    out.write_text("\n".join(rows) + "\n")
    print(f"score {score:.2f}, reference {wanted}; the curve is in {out}")
    return score


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(prog="python -m simhost.examples.train", description="Trains a policy for a registered task.")
    names = [name.removeprefix("simhost/").removesuffix("-v0") for name in gym.TASKS]
    parser.add_argument("task", choices=names)
    parser.add_argument("--seconds", type=float, default=300.0, help="longest time for training [300]")
    parser.add_argument("--seed", type=int, default=1, help="seed of all random numbers [1]")
    parser.add_argument("--threads", type=int, default=2, help="threads of the simulation [2]")
    parser.add_argument("--out", type=Path, default=Path("curve.csv"), help="file for the curve [curve.csv]")
    words = parser.parse_args()
    if "OPENBLAS_NUM_THREADS" not in os.environ:
        # the matrices are small: threads of numpy would wait for each other and for those of the simulation
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.execv(sys.executable, [sys.executable, "-m", "simhost.examples.train", *sys.argv[1:]])
    score = train(f"simhost/{words.task}-v0", words.seconds, words.seed, words.threads, words.out)
    wanted = gym.TASKS[f"simhost/{words.task}-v0"].reference_score
    raise SystemExit(0 if wanted is None or score >= wanted else 1)


if __name__ == "__main__":
    main()
